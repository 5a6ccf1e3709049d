//! Lists with a separate index type each, to prevent using an index with another list.

use std::marker::PhantomData;

/// A typed index.
pub trait ArenaId: Copy {
    /// Creates the index for an element by position.
    fn from_position(position: usize) -> Self;
    /// Returns the position of the element.
    fn position(self) -> usize;
}

macro_rules! arena_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl ArenaId for $name {
            fn from_position(position: usize) -> $name {
                $name(u32::try_from(position).unwrap_or(u32::MAX))
            }

            fn position(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

arena_id! {
    /// An expression of a body.
    ExprId;
    /// A body of a file.
    BodyId;
    /// A local variable of a body.
    LocalId;
}

/// An append-only list with typed indexes.
#[derive(Clone, Debug)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    marker: PhantomData<fn(I)>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> IndexVec<I, T> {
        IndexVec { items: Vec::new(), marker: PhantomData }
    }
}

impl<I: ArenaId, T> IndexVec<I, T> {
    /// Adds an element and returns the index.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_position(self.items.len() - 1)
    }

    /// Returns the element at an index.
    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.position())
    }

    /// Returns the element at an index.
    pub fn get_mut(&mut self, index: I) -> Option<&mut T> {
        self.items.get_mut(index.position())
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns true if the list has no elements.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the elements with their indexes.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(position, item)| (I::from_position(position), item))
    }
}
