//! How to react to a failure.

/// How to react to an error when reading or writing one item of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// The failure may be transient: try again after a pause.
    Retry,
    /// Only this item is at fault: set it aside and report it.
    Park,
    /// Nothing will succeed until an operator changes something.
    Halt,
}
