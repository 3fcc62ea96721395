//! Finds under which condition a fact holds, from answers in which it holds and answers in which it does not.

/// A set of answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    pub(crate) fn contains(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one & !other == 0)
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one | other).collect())
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one & other).collect())
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one & !other).collect())
    }
}

impl<'a> Extend<&'a usize> for Bits {
    fn extend<T: IntoIterator<Item = &'a usize>>(&mut self, numbers: T) {
        numbers.into_iter().for_each(|number| self.insert(*number));
    }
}

/// Groups of literals by number: all groups must hold, of each group one literal; or, if `is_any`, one group must hold,
/// and all its literals.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) is_any: bool,
}

/// A condition that holds in all of `yes` and none of `no`, made of literals that each hold in a set of answers.
/// The literals come in pairs: each is followed by its opposite.
pub(crate) fn condition(yes: &Bits, no: &Bits, literals: &[Bits]) -> Option<Groups> {
    let size = |groups: &Vec<Vec<usize>>| groups.iter().map(|group| 1 + group.len()).sum::<usize>();
    let all = clauses(yes, no, literals);
    let any = clauses(no, yes, literals).map(|groups| {
        let opposite = |group: Vec<usize>| group.into_iter().map(|literal| literal ^ 1).collect();
        groups.into_iter().map(opposite).collect::<Vec<Vec<usize>>>()
    });
    match (all, any) {
        (Some(all), Some(any)) if size(&any) < size(&all) => Some(Groups { groups: any, is_any: true }),
        (Some(all), _) => Some(Groups { groups: all, is_any: false }),
        (None, any) => any.map(|groups| Groups { groups, is_any: true }),
    }
}

/// Groups of up to three literals, each of which holds in all of `yes`, so that together they hold in none of `no`.
fn clauses(yes: &Bits, no: &Bits, literals: &[Bits]) -> Option<Vec<Vec<usize>>> {
    let mut rest = no.clone();
    let mut chosen: Vec<(Vec<usize>, Bits)> = Vec::new();
    for size in 1..=3 {
        if rest.is_empty() || (size == 3 && literals.len() > 60) {
            break;
        }
        let candidates = candidates(yes, literals, size);
        while !rest.is_empty() {
            let covered = |(_, holds): &&(Vec<usize>, Bits)| rest.without(holds).count();
            let mut best: Option<(u32, &(Vec<usize>, Bits))> = None;
            for candidate in &candidates {
                let count = covered(&candidate);
                if best.is_none_or(|(most, _)| count > most) {
                    best = Some((count, candidate));
                }
            }
            let Some((1.., candidate)) = best else { break };
            rest = rest.and(&candidate.1);
            chosen.push(candidate.clone());
        }
    }
    if !rest.is_empty() {
        return None;
    }
    for at in 0..chosen.len() {
        let mut left = no.clone();
        for (_, holds) in chosen.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one) {
            left = left.and(holds);
        }
        if left.is_empty()
            && let Some((literals, holds)) = chosen.get_mut(at)
        {
            literals.clear();
            *holds = no.or(yes);
        }
    }
    let mut groups: Vec<Vec<usize>> = chosen.into_iter().map(|(literals, _)| literals).collect();
    groups.retain(|group| !group.is_empty());
    groups.sort_by_key(|group| (group.len(), group.clone()));
    Some(groups)
}

fn candidates(yes: &Bits, literals: &[Bits], size: usize) -> Vec<(Vec<usize>, Bits)> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<usize>, Bits)> = vec![(Vec::new(), yes.without(yes))];
    for step in 1..=size {
        let mut next = Vec::new();
        for (group, holds) in &open {
            let first = group.last().map_or(0, |last| last + 1);
            for (at, literal) in literals.iter().enumerate().skip(first) {
                let is_opposite = group.last().is_some_and(|last| last ^ 1 == at);
                let together = holds.or(literal);
                if is_opposite || literal.is_within(holds) {
                    continue;
                }
                let is_valid = yes.is_within(&together);
                let group = group.iter().copied().chain([at]).collect::<Vec<_>>();
                match (is_valid, step == size) {
                    (true, true) => found.push((group, together)),
                    (false, false) => next.push((group, together)),
                    _ => {}
                }
            }
        }
        open = next;
    }
    found
}
