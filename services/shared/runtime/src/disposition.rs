//! What is done about a failure.

/// What whoever reads or writes one thing of many does about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// The same may go well a little later: try again after a pause.
    Retry,
    /// This one thing is at fault, others are not: set it aside and say so.
    Park,
    /// Nothing will go well until an operator changes something.
    Halt,
}
