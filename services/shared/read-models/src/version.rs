//! The version of the read models.

/// The versions of the read models, the newest last, each with the fingerprint of its tables and rows.
///
/// A test of `projections` computes the fingerprint of this build's tables and rows, and says what to add here
/// when they have changed. Don't change the line of a released version: a build that writes other rows under
/// the same version leaves the existing rows in their old form. A new version may only add columns, so that
/// query nodes of the old one can continue to read.
pub const READ_MODEL_VERSIONS: &[(i32, &str)] = &[(13, "1a62665fc3dc077e")];

/// The version that this build writes and reads. If it is higher than that of the live rows, `projections`
/// fills a new generation at its start and swaps it in, and `query` nodes wait for that. Because of this order
/// a version is a number, and not the fingerprint alone.
pub const READ_MODEL_VERSION: i32 = READ_MODEL_VERSIONS[READ_MODEL_VERSIONS.len() - 1].0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_is_higher_than_the_one_before() {
        assert!(READ_MODEL_VERSIONS.is_sorted_by(|(before, _), (after, _)| before < after));
    }
}
