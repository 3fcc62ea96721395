//! Groups of nodes that all lead to each other, by Tarjan's walk with a stack of its own.

use crate::fact::{Fact, PerFact};

/// The groups of more than one node, or of one that leads to itself, among `nodes`; each sorted.
pub(crate) fn components(count: usize, nodes: &[Fact], next: impl Fn(Fact) -> Vec<Fact>) -> Vec<Vec<Fact>> {
    let mut walk = Walk {
        index: PerFact::all(None, count),
        low: PerFact::all(0, count),
        is_open: PerFact::all(false, count),
        open: Vec::new(),
        found: Vec::new(),
        visited: 0,
    };
    for node in nodes {
        if walk.index[*node].is_none() {
            walk.from(*node, &next);
        }
    }
    walk.found.retain(|group| match group.as_slice() {
        [only] => next(*only).contains(only),
        _ => true,
    });
    walk.found
}

struct Walk {
    /// When each node was first visited.
    index: PerFact<Option<u32>>,
    /// The earliest open node that each node is known to lead to.
    low: PerFact<u32>,
    is_open: PerFact<bool>,
    open: Vec<Fact>,
    found: Vec<Vec<Fact>>,
    visited: u32,
}

impl Walk {
    fn from(&mut self, root: Fact, next: &impl Fn(Fact) -> Vec<Fact>) {
        self.visit(root);
        let mut path = vec![(root, next(root))];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            let Some(to) = rest.pop() else {
                path.pop();
                if let Some((parent, _)) = path.last() {
                    self.low[*parent] = self.low[*parent].min(self.low[node]);
                }
                self.close(node);
                continue;
            };
            match self.index[to] {
                None => {
                    self.visit(to);
                    path.push((to, next(to)));
                }
                Some(index) if self.is_open[to] => self.low[node] = self.low[node].min(index),
                Some(_) => {}
            }
        }
    }

    fn visit(&mut self, node: Fact) {
        self.index[node] = Some(self.visited);
        self.low[node] = self.visited;
        self.visited += 1;
        self.is_open[node] = true;
        self.open.push(node);
    }

    /// Takes a group off the stack once its first node is done.
    fn close(&mut self, node: Fact) {
        if self.index[node] != Some(self.low[node]) {
            return;
        }
        let mut group = Vec::new();
        while let Some(member) = self.open.pop() {
            self.is_open[member] = false;
            group.push(member);
            if member == node {
                break;
            }
        }
        group.sort_unstable();
        self.found.push(group);
    }
}
