//! What decides a tafl game within a move or two, by sets: open ways of the king, and captures of him.

use super::position::Position;
use super::rules::{KING_INDEX, PLAIN_KINDS, Rules};
use crate::bits::Bits;
use crate::game::{Move, Side};
use crate::grid::{Direction, Grid};

/// What the questions about threats and the value of a position rest on.
#[derive(Clone, Copy)]
pub struct Sight<B> {
    /// For each direction the king's square and those that he slides over, if nothing but other pieces limits him.
    pub slides: [B; 4],
    /// For each direction the squares from which he would slide home in the opposite one once he has left his.
    pub ways: [B; 4],
    /// The squares that the men of each side can reach in one move, or hold.
    pub reach: [B; 2],
    /// The squares on which a piece of each side that comes there captures a man.
    pub sites: [B; 2],
    /// The squares on which an attacker who comes there takes the king.
    pub king_sites: B,
}

impl<G: Grid, const FULL: bool> Rules<G, FULL> {
    /// Squares of the king's open way in one direction, the goal square included; `None` if it is not open.
    #[inline(always)]
    fn open_way(&self, position: &Position<G::Bits>, direction: Direction) -> Option<G::Bits> {
        let free = self.pass[KING_INDEX] & !position.occupied();
        let mut way = G::Bits::EMPTY;
        let mut king = position.king;
        loop {
            king = G::step(king, direction) & free;
            if king.is_empty() {
                return None;
            }
            way |= king;
            if king.meets(self.home) {
                return self.is_way(position, way).then_some(way);
            }
        }
    }

    /// Whether the king may go all of a way that is open for a king without limits who stands on no special square.
    #[inline(always)]
    fn is_way(&self, position: &Position<G::Bits>, way: G::Bits) -> bool {
        !self.odd_moves()
            || position.king.any() && {
                let king = PLAIN_KINDS[KING_INDEX];
                self.slides_from(king, position.king.first(), position.occupied())
                    .meets(way & self.home)
            }
    }

    /// What can be seen of a position.
    #[inline(always)]
    pub fn sight(&self, position: &Position<G::Bits>) -> Sight<G::Bits> {
        let men = position.men[0] | position.men[1];
        let free = self.pass[KING_INDEX] & !men;
        let reach = |side| self.reach_of_men(position, side);
        let sites = |side| self.sites_against_men(position, side);
        Sight {
            slides: self.king_slides(position),
            ways: G::slides(self.home & free, free),
            reach: [reach(Side::First), reach(Side::Second)],
            sites: [sites(Side::First), sites(Side::Second)],
            king_sites: self.king_capture_sites(position),
        }
    }

    /// For each direction the king's square and those that he slides over, if nothing but other pieces limits him.
    #[inline(always)]
    fn king_slides(&self, position: &Position<G::Bits>) -> [G::Bits; 4] {
        G::slides(position.king, self.pass[KING_INDEX] & !position.occupied())
    }

    /// The king's open ways to his goal, from what he slides over; full rules go step by step instead.
    #[inline(always)]
    fn open_ways(
        &self,
        position: &Position<G::Bits>,
        slides: [G::Bits; 4],
    ) -> impl Iterator<Item = G::Bits> {
        // In plain games all four at once, without branches; a goal is the end of its line, or what lies behind it does no harm.
        Direction::ORTHOGONAL
            .into_iter()
            .zip(slides)
            .filter_map(move |(direction, slid)| {
                if FULL {
                    self.open_way(position, direction)
                } else {
                    slid.meets(self.home).then_some(slid & !position.king)
                }
            })
    }

    /// The squares that the men of a side can reach in one move, or hold.
    #[inline]
    pub fn reach_of_men(&self, position: &Position<G::Bits>, side: Side) -> G::Bits {
        let men = position.men[side.index()];
        if self.odd_moves() {
            let kind = PLAIN_KINDS[side.index()];
            let occupied = position.occupied();
            return men.iter().fold(men, |reach, from| {
                reach | self.slides_from(kind, from, occupied)
            });
        }
        let (pass, stop) = (self.pass[side.index()], self.stop[side.index()]);
        men | G::reach(men, pass & !position.occupied()) & stop
    }

    #[inline]
    pub(super) fn winning_move(&self, position: &Position<G::Bits>) -> Option<Move> {
        match position.side {
            Side::First => {
                let sites = self.king_capture_sites(position);
                if sites.is_empty() {
                    return None;
                }
                let reached = sites & self.reach_of_men(position, Side::First);
                reached
                    .iter()
                    .find_map(|to| self.arrival_of_man(position, to))
            }
            Side::Second => {
                let slides = if FULL {
                    [G::Bits::EMPTY; 4]
                } else {
                    self.king_slides(position)
                };
                let way = self.open_ways(position, slides).next()?;
                let to = (way & self.home).first();
                Some(Move::new(position.king.first(), to, 0))
            }
        }
    }

    /// A move of an attacker to this square.
    fn arrival_of_man(&self, position: &Position<G::Bits>, to: u16) -> Option<Move> {
        let men = position.men[Side::First.index()];
        if self.odd_moves() {
            let kind = PLAIN_KINDS[Side::First.index()];
            let from = men
                .iter()
                .find(|&from| self.slides_from(kind, from, position.occupied()).has(to))?;
            return Some(Move::new(from, to, 0));
        }
        let free = self.pass[Side::First.index()] & !position.occupied();
        Direction::ORTHOGONAL.into_iter().find_map(|direction| {
            let mut square = G::Bits::bit(to);
            loop {
                square = G::step(square, direction);
                if square.meets(men) {
                    return Some(Move::new(square.first(), to, 0));
                }
                if !square.meets(free) {
                    return None;
                }
            }
        })
    }

    #[inline]
    pub(super) fn must_reach(
        &self,
        position: &Position<G::Bits>,
        sight: &Sight<G::Bits>,
    ) -> Option<G::Bits> {
        match position.side {
            Side::First => self.shared_way(position, sight.slides),
            Side::Second => None,
        }
    }

    /// Attackers who face an open way must stop on it; two ways that go apart share no square.
    #[inline(always)]
    fn shared_way(&self, position: &Position<G::Bits>, slides: [G::Bits; 4]) -> Option<G::Bits> {
        self.open_ways(position, slides)
            .reduce(|shared, way| shared & way)
    }

    /// A move of the king to a square from which two ways are open that no single man can close.
    #[inline(always)]
    pub(super) fn fork(
        &self,
        position: &Position<G::Bits>,
        sight: &Sight<G::Bits>,
    ) -> Option<Move> {
        if position.side == Side::First {
            return None;
        }
        let forks = self.near(position, sight) & self.crossings & Self::crossings(sight.ways);
        if forks.is_empty() {
            return None;
        }
        forks
            .iter()
            .map(|to| Move::new(position.king.first(), to, 0))
            .find(|&mv| self.has_no_answer(position, mv))
    }

    /// Squares that the king reaches in one move, if nothing but other pieces limits him.
    #[inline(always)]
    pub fn near(&self, position: &Position<G::Bits>, sight: &Sight<G::Bits>) -> G::Bits {
        let [east, north, west, south] = sight.slides;
        (east | north | west | south) & self.stop[KING_INDEX] & !position.king
    }

    /// Appends quiet moves of the king to squares from which a way is open, in games in which all pieces move alike.
    #[inline]
    pub(super) fn generate_threats(
        &self,
        position: &Position<G::Bits>,
        sight: &Sight<G::Bits>,
        list: &mut Vec<Move>,
    ) {
        if position.side == Side::First || self.odd_moves() {
            return;
        }
        let near = self.near(position, sight);
        let [east, north, west, south] = sight.ways;
        // At home he does not threaten to win any more.
        let threats = (near & !self.home & (east | north | west | south))
            .iter()
            .map(|to| Move::new(position.king.first(), to, 0));
        list.extend(threats.filter(|&mv| {
            (!FULL || self.is_legal(position, mv)) && !self.is_capture(position, mv)
        }));
    }

    /// Squares on at least two of the ways.
    pub(super) fn crossings([east, north, west, south]: [G::Bits; 4]) -> G::Bits {
        east & west | north & south | (east | west) & (north | south)
    }

    /// Whether a king's move, if it is legal, leaves the attackers moves, but none that wins or closes all his ways. They win
    /// at once by taking him only, which is found completely: an open way excludes that he is shut in.
    #[cold]
    fn has_no_answer(&self, position: &Position<G::Bits>, mv: Move) -> bool {
        if !self.is_legal(position, mv) {
            return false;
        }
        let child = self.make(position, mv);
        self.winning_move(&child).is_none()
            && self
                .shared_way(&child, self.king_slides(&child))
                .is_some_and(|ways| ways.is_empty())
            && self.count(&child) > 0
    }

    #[inline]
    pub(super) fn in_danger(&self, position: &Position<G::Bits>, sight: &Sight<G::Bits>) -> bool {
        match position.side {
            Side::First => self.open_ways(position, sight.slides).next().is_some(),
            Side::Second => sight.king_sites.meets(sight.reach[Side::First.index()]),
        }
    }
}
