//! Which options of an engine are tuned, and by which steps.

use super::spsa::Parameter;
use crate::engine::Spin;

/// Options of which an engine does not say the step are changed by this part of their range at first.
const PART: f64 = 20.0;

/// An option that was asked for by its name.
struct Named<'a> {
    name: &'a str,
    step: Option<f64>,
}

/// The numbers to tune among an engine's options: those that `words` name, each perhaps with a word `step=N` behind it; or,
/// without words, those whose names begin with `prefix`, in any case.
///
/// # Errors
/// Names the word, or the option that there is not.
pub fn choose(spins: &[Spin], prefix: &str, words: &[String]) -> Result<Vec<Parameter>, String> {
    if words.is_empty() {
        let begins = |spin: &&Spin| {
            let start = spin.name.get(..prefix.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        let all: Vec<Parameter> = { spins.iter().filter(begins) }
            .map(|spin| parameter(spin, None))
            .collect();
        return match all.is_empty() {
            true => Err(format!(
                "the engine shows no option of type spin whose name begins with '{prefix}'"
            )),
            false => Ok(all),
        };
    }
    let mut all: Vec<Parameter> = Vec::new();
    for named in named(words)? {
        let name = named.name;
        let spin = { spins.iter() }
            .find(|spin| spin.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("--param: the engine shows no option '{name}' of type spin"))?;
        if all.iter().any(|other| other.name == spin.name) {
            return Err(format!("--param: '{name}' is given twice"));
        }
        all.push(parameter(spin, named.step));
    }
    Ok(all)
}

fn named(words: &[String]) -> Result<Vec<Named<'_>>, String> {
    let mut all: Vec<Named> = Vec::new();
    for word in words {
        match (word.strip_prefix("step="), all.last_mut()) {
            (None, _) => all.push(Named {
                name: word,
                step: None,
            }),
            (Some(step), Some(named)) if named.step.is_none() => {
                let step = step.parse().ok().filter(|step: &f64| *step > 0.0);
                let step = step.filter(|step| step.is_finite());
                named.step =
                    Some(step.ok_or(format!("--param: {word}, a number above 0 expected"))?);
            }
            (Some(_), _) => return Err(format!("--param: {word}, the name of an option expected")),
        }
    }
    Ok(all)
}

fn parameter(spin: &Spin, step: Option<f64>) -> Parameter {
    let range = (spin.max - spin.min) as f64;
    let step = step.or(spin.step.filter(|step| *step > 0.0 && step.is_finite()));
    Parameter {
        name: spin.name.clone(),
        start: spin.default,
        least: spin.min,
        most: spin.max,
        step: step.unwrap_or((range / PART).max(0.5)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(prefix: &str, words: &str) -> Result<Vec<(String, f64)>, String> {
        let spins = [
            "option name Hash type spin default 1 min 1 max 16",
            "option name TuneOne type spin default 7 min 0 max 100",
            "option name TuneTwo type spin default 7 min 0 max 100",
            "option name Tune Three type spin default 2 min 0 max 4",
        ];
        let mut spins: Vec<Spin> = spins.iter().filter_map(|line| Spin::parse(line)).collect();
        spins[2].step = Some(3.0);
        let words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
        let chosen = choose(&spins, prefix, &words)?;
        Ok(chosen.into_iter().map(|one| (one.name, one.step)).collect())
    }

    #[test]
    fn options_by_prefix_and_by_name() {
        let expect = |prefix: &str, words: &str, expected: &[(&str, f64)]| {
            let chosen = choice(prefix, words).unwrap();
            let chosen: Vec<(&str, f64)> = { chosen.iter() }
                .map(|(name, step)| (name.as_str(), *step))
                .collect();
            assert_eq!(chosen, expected);
        };
        expect("tunet", "", &[("TuneTwo", 3.0)]);
        expect(
            "TUNE",
            "",
            &[("TuneOne", 5.0), ("TuneTwo", 3.0), ("Tune Three", 0.5)],
        );
        expect(
            "tune",
            "TUNETWO step=4.5 Hash",
            &[("TuneTwo", 4.5), ("Hash", 0.75)],
        );
        for (words, expected) in [
            ("TuneFour", "no option 'TuneFour'"),
            ("TuneOne TuneOne", "given twice"),
            ("step=2 TuneOne", "step=2, the name"),
            ("TuneOne step=2 step=3", "step=3, the name"),
            ("TuneOne step=-1", "a number above 0"),
        ] {
            let error = choice("tune", words).unwrap_err();
            assert!(error.contains(expected), "{words}: {error}");
        }
        assert!(choice("Search", "").unwrap_err().contains("'Search'"));
    }
}
