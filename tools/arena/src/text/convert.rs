//! `arena convert`: a record in one form, written in another.

use super::replay::replay;
use super::{Form, Transcript, load, opentafl, pgn, tags, thudboard};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What `arena convert` is asked for.
#[derive(clap::Args, Debug)]
pub struct ConvertOptions {
    /// File to read
    input: PathBuf,
    /// File to write; stdout if it is left out
    output: Option<PathBuf>,
    /// Form of the input; else its name or content tells
    #[arg(long, value_name = "FORM")]
    from: Option<Form>,
    /// Form of the output; else its name tells
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,
    /// Variant of games that do not tell it, and instead of what they tell
    #[arg(long)]
    variant: Option<String>,
    /// A file of further variants
    #[arg(long, value_name = "FILE", requires = "variant")]
    variants: Option<PathBuf>,
}

/// Reads the games of a file and writes them in another form.
///
/// # Errors
/// Names the file, and the game and move if one of them can not be converted. Then nothing is written.
pub fn convert(options: &ConvertOptions) -> Result<(), String> {
    let named = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let to = options
        .to
        .or_else(|| options.output.as_deref().and_then(Form::of_name))
        .ok_or("nothing tells the form to write; --to names it")?;
    let (from, text) = load(&options.input, options.from)?;
    let variant = super::named(options.variant.as_deref(), options.variants.as_deref())?;
    let games = from.read(&text, variant.as_ref());
    let games = games.map_err(|why| named(&options.input, &why))?;
    let mut written = String::new();
    for game in &games {
        written += &write(game, to)
            .map_err(|why| named(&options.input, &format!("{}: {why}", game.place)))?;
    }
    match &options.output {
        Some(path) => std::fs::write(path, written).map_err(|error| named(path, &error)),
        None => std::io::stdout()
            .write_all(written.as_bytes())
            .map_err(|error| format!("stdout: {error}")),
    }
}

/// Writes a game after playing it again.
fn write(game: &Transcript, to: Form) -> Result<String, String> {
    let moves = game.moves.iter().map(|mv| mv.mv.as_str());
    let replay = replay(&game.conditions()?, moves)?;
    if let Some(broken) = &replay.broken {
        return Err(game.fault(broken));
    }
    match to {
        Form::Pgn => {
            let mut game = game.clone();
            for (mv, step) in game.moves.iter_mut().zip(&replay.steps) {
                mv.mv.clone_from(&step.text);
            }
            if game.tag(tags::RESULT).is_none() {
                let over = replay
                    .over
                    .filter(|(plies, _)| *plies == replay.steps.len());
                let winner = over.map(|(_, outcome)| outcome.winner.map(|side| side.index()));
                game.set_tag(tags::RESULT, winner.map_or("*", super::result_word));
                if let Some((_, outcome)) = over {
                    game.set_tag(tags::TERMINATION, outcome.reason.to_string());
                    if let Some([one, two]) = outcome.points {
                        game.set_tag(tags::POINTS, format!("{one}-{two}"));
                    }
                }
            }
            pgn::write(&game)
        }
        Form::Thudboard => thudboard::write(game, &replay),
        Form::Opentafl => opentafl::write(game, &replay),
        Form::Jsonl => Err("games.jsonl is written by a tournament only".into()),
    }
}
