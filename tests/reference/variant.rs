//! The five games: their names, sizes, start positions and default limits. What a rule makes of them is elsewhere.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Thud,
    ThudRulebook,
    Tawlbwrdd,
    TawlbwrddBell,
    Hnefatafl7,
}

impl Variant {
    const ALL: [Variant; 5] = [
        Variant::Thud,
        Variant::ThudRulebook,
        Variant::Tawlbwrdd,
        Variant::TawlbwrddBell,
        Variant::Hnefatafl7,
    ];

    pub fn named(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|v| v.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Variant::Thud => "thud",
            Variant::ThudRulebook => "thud-rulebook",
            Variant::Tawlbwrdd => "tawlbwrdd",
            Variant::TawlbwrddBell => "tawlbwrdd-bell",
            Variant::Hnefatafl7 => "hnefatafl7",
        }
    }

    pub fn is_thud(self) -> bool {
        matches!(self, Variant::Thud | Variant::ThudRulebook)
    }

    /// Squares along an edge.
    pub fn size(self) -> i32 {
        match self {
            Variant::Thud | Variant::ThudRulebook => 15,
            Variant::Tawlbwrdd | Variant::TawlbwrddBell => 11,
            Variant::Hnefatafl7 => 7,
        }
    }

    pub fn start_text(self) -> &'static str {
        match self {
            Variant::Thud | Variant::ThudRulebook => {
                "*****dd1dd*****/****d5d****/***d7d***/**d9d**/*d11d*/d13d/d5TTT5d/6T*T6/d5TTT5d/\
                 d13d/*d11d*/**d9d**/***d7d***/****d5d****/*****dd1dd***** d 0 1"
            }
            Variant::Tawlbwrdd => {
                "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3 a 0 1"
            }
            Variant::TawlbwrddBell => {
                "4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4 a 0 1"
            }
            Variant::Hnefatafl7 => "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1",
        }
    }

    /// The letters that name player 1 and player 2 as the side to move.
    pub fn side_letters(self) -> [&'static str; 2] {
        if self.is_thud() {
            ["d", "t"]
        } else {
            ["a", "d"]
        }
    }

    /// The default `RepetitionLimit`; 0 is off.
    pub fn repetition_limit(self) -> u32 {
        match self {
            Variant::Thud | Variant::ThudRulebook => 0,
            Variant::Tawlbwrdd | Variant::TawlbwrddBell => 2,
            Variant::Hnefatafl7 => 3,
        }
    }

    /// The default `QuietLimit`; 0 is off.
    pub fn quiet_limit(self) -> u32 {
        if self.is_thud() { 200 } else { 0 }
    }

    /// Which player a piece letter belongs to (1 or 2); 0 for what is no piece of this game.
    pub fn owner(self, piece: char) -> u8 {
        match (self.is_thud(), piece) {
            (true, 'd') | (false, 't') => 1,
            (true, 'T') | (false, 'T') | (false, 'K') => 2,
            _ => 0,
        }
    }
}
