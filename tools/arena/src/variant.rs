//! Which game is played: a variant of the library by its name, or one of a file of variants.
//!
//! One of a file is kept with its rules, so that what a run leaves can be read without the file.

use huscarl::session::{Config, Session};
use huscarl::tafl::Spec;
use huscarl::tafl::spec::Berserk;
use huscarl::variants::{self, Registry, Visitor};
use std::path::Path;
use std::str::FromStr;

/// A game with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    name: String,
    /// Its rules, if it is a game of the tafl family.
    spec: Option<Spec>,
    /// Whether the library knows it by its name.
    is_built_in: bool,
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Variant::find(name, None)
    }
}

impl Variant {
    /// The variant of this name, in any case: a built-in one, or one of the file.
    ///
    /// # Errors
    /// Names what is known, or what is wrong with the file.
    pub fn find(name: &str, file: Option<&Path>) -> Result<Self, String> {
        let registry = match file {
            Some(path) => Registry::load(&path.to_string_lossy())?,
            None => Registry::default(),
        };
        let name = registry.find(name)?;
        Ok(Variant {
            name: name.to_string(),
            spec: registry.spec(name)?,
            is_built_in: variants::find(name).is_ok(),
        })
    }

    /// The built-in variant of this name, or the game that a rules record describes.
    ///
    /// # Errors
    /// Names what is known, or what is wrong with the record.
    pub fn recorded(name: &str, rules: Option<&str>) -> Result<Self, String> {
        match rules {
            None => name.parse(),
            Some(record) => Ok(Variant {
                name: name.to_string(),
                spec: Some(Spec::from_record(record).map_err(|why| format!("rules: {why}"))?),
                is_built_in: false,
            }),
        }
    }

    /// The name as the engine writes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules of a game of the tafl family.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec.as_ref()
    }

    /// The rules record without which nobody knows what is played; none for a built-in variant.
    pub fn rules(&self) -> Option<String> {
        let spec = self.spec.as_ref().filter(|_| !self.is_built_in);
        spec.map(Spec::to_record)
    }

    /// Whether a turn may have several moves.
    pub fn has_long_turns(&self) -> bool {
        self.spec
            .as_ref()
            .is_some_and(|spec| spec.berserk != Berserk::None)
    }

    /// Calls the visitor with the game.
    ///
    /// # Errors
    /// If there is no board of its size.
    pub fn visit<V: Visitor>(&self, visitor: V) -> Result<V::Output, String> {
        match self.spec.as_ref().filter(|_| !self.is_built_in) {
            Some(spec) => variants::visit_spec(spec, visitor),
            None => variants::visit(&self.name, visitor),
        }
    }

    /// Opens a session at the start position.
    ///
    /// # Errors
    /// If the start can not be read, or the threads can not be had.
    pub fn open(&self, config: Config) -> Result<Box<dyn Session>, String> {
        match self.spec.as_ref().filter(|_| !self.is_built_in) {
            Some(spec) => variants::open_spec(spec, config),
            None => variants::open(&self.name, config),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_tells_is_known_without_it() {
        let path = std::env::temp_dir().join(format!("arena-variants-{}", std::process::id()));
        let text =
            "[[variant]]\nname = \"my-brandub\"\nbase = \"brandub\"\nfirst = \"defenders\"\n";
        std::fs::write(&path, text).unwrap();
        let found = Variant::find("MY-brandub", Some(&path)).unwrap();
        assert_eq!(found.name(), "my-brandub");
        let rules = found.rules().unwrap();
        assert!(rules.contains("atkf:n"), "{rules}");
        assert_eq!(Variant::recorded("my-brandub", Some(&rules)), Ok(found));
        assert!("my-brandub".parse::<Variant>().is_err());
        let built_in = Variant::find("brandub", Some(&path)).unwrap();
        assert_eq!(built_in.rules(), None);
        assert!(built_in.spec().is_some() && "thud".parse::<Variant>().unwrap().spec().is_none());
        std::fs::remove_file(&path).unwrap();
        assert!(Variant::find("brandub", Some(&path)).is_err());
    }

    #[test]
    fn long_turns_are_those_of_berserk() {
        for name in variants::names() {
            let variant: Variant = name.parse().unwrap();
            assert_eq!(variant.has_long_turns(), name == "berserk", "{name}");
        }
    }
}
