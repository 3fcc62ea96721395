//! `range`: over numbers, slices and maps.

use super::run::{At, Run};
use super::{Flow, Machine};
use crate::template::failure::Failure;
use crate::template::format::printed;
use crate::template::tree::Branch;
use crate::template::value::{Element, Item, Kind, MapKind, Value};

impl Machine {
    pub(super) fn range<'t>(&mut self, run: &mut Run<'t>, branch: &'t Branch) -> Result<Flow, Failure> {
        run.at(At::Range(branch));
        let mark = run.mark();
        let subject = self.pipe(run, &branch.pipe)?;
        let count = match &subject.value {
            Value::Int(_) | Value::Int64(_) | Value::Byte(_) | Value::Uint64(_) | Value::Duration(_) => {
                self.count(run, branch, &subject)?
            }
            value => {
                let Some(elements) = elements(value) else {
                    return Err(run.fail(format!("range can't iterate over {}", printed(value))));
                };
                let count = elements.len();
                for (key, element) in elements {
                    if self.turn(run, branch, &key, element)? == Flow::Break {
                        break;
                    }
                }
                count
            }
        };
        run.release(mark);
        if count > 0 {
            return Ok(Flow::Next);
        }
        self.walk(run, branch.otherwise.as_deref().unwrap_or_default())
    }

    fn count<'t>(&mut self, run: &mut Run<'t>, branch: &'t Branch, subject: &Item) -> Result<usize, Failure> {
        if branch.pipe.variables.len() > 1 {
            let shown = printed(&subject.value);
            return Err(run.fail(format!("can't use {shown} to iterate over more than one variable")));
        }
        let (limit, make): (i64, fn(i64) -> Value) = match &subject.value {
            Value::Byte(limit) => (i64::from(*limit), |n| Value::Byte(u8::try_from(n).unwrap_or_default())),
            Value::Int64(limit) => (*limit, Value::Int64),
            Value::Duration(limit) => (*limit, Value::Duration),
            Value::Uint64(limit) => {
                (i64::try_from(*limit).unwrap_or(i64::MAX), |n| Value::Uint64(n.unsigned_abs()))
            }
            Value::Int(limit) => (*limit, Value::Int),
            _ => (0, Value::Int),
        };
        for number in 0..limit {
            let element = Item::new(make(number), subject.place);
            if self.turn(run, branch, &Value::Invalid.into(), element)? == Flow::Break {
                break;
            }
        }
        Ok(usize::from(limit > 0))
    }

    fn turn<'t>(
        &mut self,
        run: &mut Run<'t>,
        branch: &'t Branch,
        key: &Item,
        element: Item,
    ) -> Result<Flow, Failure> {
        self.meter.step().map_err(|failure| run.fail_with(failure))?;
        match (&*branch.pipe.variables, branch.pipe.is_assignment) {
            ([one], true) => run.assign(one, element.clone())?,
            ([first, second], true) => {
                run.assign(first, key.clone())?;
                run.assign(second, element.clone())?;
            }
            ([_], false) => run.set_newest(1, element.clone()),
            ([_, _], false) => {
                run.set_newest(1, element.clone());
                run.set_newest(2, key.clone());
            }
            _ => {}
        }
        let inner = run.mark();
        let flow = self.walk_with(run, element, &branch.body)?;
        run.release(inner);
        Ok(flow)
    }
}

/// Keys and elements as they are when the loop begins; `None` for what has none.
fn elements(value: &Value) -> Option<Vec<(Item, Item)>> {
    let numbered = |items: &[Item], is_interface| {
        let element = |item: &Item| if is_interface { item.clone().into_interface() } else { item.clone() };
        items
            .iter()
            .enumerate()
            .map(|(index, item)| (Value::Int(i64::try_from(index).unwrap_or(i64::MAX)).into(), element(item)))
            .collect()
    };
    match value {
        Value::Invalid | Value::Nil => Some(Vec::new()),
        Value::List(list) => Some(numbered(list.items(), list.element() == Element::Any)),
        Value::Map(map) => {
            let is_interface = map.kind() != MapKind::Texts;
            let entries = map.borrow();
            let pairs = entries
                .iter()
                .map(|(key, item)| (Value::from(&**key).into(), Item { is_interface, ..item.clone() }));
            Some(pairs.collect())
        }
        Value::Object(object) => match object.kind() {
            Kind::Slice => object.items().map(|items| numbered(&items, false)),
            Kind::Map => object.entries().map(|entries| {
                entries.into_iter().map(|(key, item)| (Value::from(&*key).into(), item)).collect()
            }),
            _ => None,
        },
        _ => None,
    }
}
