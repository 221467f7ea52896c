//! The variants that are built in, as one table.

use crate::tafl::notation::RECORDS;
use crate::thud::CaptureRule;

/// What a game is told by.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// How trolls capture.
    Thud(CaptureRule),
    /// A rules record.
    Record(&'static str),
}

/// Names and games. OpenTafl's own are the records that it writes; the ends of the others are looked for in the order
/// of the house.
pub(super) static BUILT_IN: [(&str, Told); 22] = [
    ("thud", Told::Thud(CaptureRule::One)),
    ("thud-rulebook", Told::Thud(CaptureRule::AnySubset)),
    (
        "tawlbwrdd",
        Told::Record(
            "dim:11 name:Tawlbwrdd esc:e surf:n ks:c repn:2 stuck:d end:h cor: cens: cenh: cenhe:tT \
             start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
        ),
    ),
    (
        "tawlbwrdd-bell",
        Told::Record(
            "dim:11 name:Tawlbwrdd_(Bell) esc:e surf:n ks:c repn:2 stuck:d end:h cor: cens: cenh: cenhe:tT \
             start:/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
        ),
    ),
    (
        "hnefatafl7",
        Told::Record(
            "dim:7 name:Hnefatafl_7x7 surf:n ks:t end:h cenp:K cenh: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        ),
    ),
    ("brandub", Told::Record(RECORDS[5])),
    (
        "brandubh-4-throne",
        Told::Record(
            "dim:7 name:Brandubh_4_throne ks:t kth:n rep:d stuck:l end:h \
             start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        ),
    ),
    (
        "brandubh-432",
        Told::Record(
            "dim:7 name:Brandubh_432 ks:c rep:d stuck:l end:h start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        ),
    ),
    (
        "ard-ri",
        Told::Record(
            "dim:7 name:Ard_Ri esc:e ks:s spd:1 cor: cenp:K cenh: cenhe: stuck:l end:h \
             start:/2ttt2/3t3/t1TTT1t/ttTKTtt/t1TTT1t/3t3/2ttt2/",
        ),
    ),
    ("magpie", Told::Record(RECORDS[9])),
    ("tablut", Told::Record(RECORDS[7])),
    ("tablut-foteviken", Told::Record(RECORDS[8])),
    ("tablut15", Told::Record(RECORDS[11])),
    ("sea-battle9", Told::Record(RECORDS[0])),
    ("sea-battle13", Told::Record(RECORDS[12])),
    ("fetlar", Told::Record(RECORDS[1])),
    ("computer-fetlar", Told::Record(RECORDS[10])),
    ("copenhagen", Told::Record(RECORDS[2])),
    ("copenhagen-relaxed", Told::Record(RECORDS[3])),
    ("tawlbwrdd-opentafl", Told::Record(RECORDS[6])),
    ("berserk", Told::Record(RECORDS[4])),
    ("alea-evangelii", Told::Record(RECORDS[13])),
];
