//! Pictures of a home to be valued. Each is uploaded before the enquiry that refers to it.

use bytes::Bytes;
use pictures::{Format, ScaleError, decode_at_most, decoding_bytes, encode};
use sqlx::{PgPool, Postgres, Transaction};
use tokio::{
    sync::OwnedSemaphorePermit,
    task::{JoinError, spawn_blocking},
};
use uuid::Uuid;

use crate::Error;

/// The maximum size of a file, in bytes; telephones make files of half that size.
pub const MAX_PICTURE_BYTES: usize = 12 << 20;
/// The maximum width of a stored picture, in pixels: enough for the office, and five of them still fit into
/// a mail.
const WIDTH: u32 = 1_600;
/// The maximum memory for decoding a picture, in bytes: that of 25 million pixels.
const MAX_DECODING_BYTES: u64 = 256 << 20;

/// Why a file was refused.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file is not a picture that can be decoded.
    #[error(transparent)]
    Unreadable(#[from] ScaleError),
    /// The picture has too many pixels.
    #[error("the picture has too many pixels")]
    TooLarge,
    /// The decoding task was aborted.
    #[error(transparent)]
    Aborted(#[from] JoinError),
}

/// Re-encodes `file` as a JPEG of moderate size, without any metadata.
///
/// The work goes on after the client disconnects, so the `permit` is released with the work and not with
/// the request.
pub async fn reencode(file: Bytes, permit: OwnedSemaphorePermit) -> Result<Bytes, PictureError> {
    spawn_blocking(move || {
        let _permit = permit;
        if decoding_bytes(&file)? > MAX_DECODING_BYTES {
            return Err(PictureError::TooLarge);
        }
        Ok(encode(&decode_at_most(&file, WIDTH)?, Format::Jpeg)?)
    })
    .await?
}

/// Stores `jpeg` until its enquiry arrives. Returns the id by which the enquiry refers to it.
pub async fn store(pool: &PgPool, jpeg: &[u8]) -> Result<Uuid, Error> {
    // Anybody who knows the id can attach the picture, so it must not be guessable.
    let id = Uuid::new_v4();
    sqlx::query!("insert into visitor.picture (id, jpeg) values ($1, $2)", id, jpeg)
        .execute(pool)
        .await?;
    Ok(id)
}

/// Attaches `pictures` to their `enquiry`. Returns whether all of them existed and were not attached
/// yet.
pub async fn attach(
    transaction: &mut Transaction<'_, Postgres>,
    enquiry: Uuid,
    pictures: &[Uuid],
) -> Result<bool, Error> {
    let attached = sqlx::query!(
        "update visitor.picture p set enquiry = $1, position = named.position
         from unnest($2::uuid[]) with ordinality as named (id, position)
         where p.id = named.id and p.enquiry is null",
        enquiry,
        pictures,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(usize::try_from(attached.rows_affected()) == Ok(pictures.len()))
}

/// Returns the pictures of `enquiry`, in the order in which they were chosen.
pub async fn load(pool: &PgPool, enquiry: Uuid) -> Result<Vec<Vec<u8>>, Error> {
    let pictures = sqlx::query_scalar!(
        "select jpeg from visitor.picture where enquiry = $1 order by position",
        enquiry
    );
    Ok(pictures.fetch_all(pool).await?)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, mpsc},
        time::Duration,
    };

    use tokio::{runtime::Builder, sync::Semaphore, time::timeout};

    use super::*;

    #[test]
    fn the_permit_is_released_with_the_work_after_a_disconnect() {
        let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(1).build();
        runtime.expect("a runtime").block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let before = spawn_blocking(move || held.recv());
            let permits = Arc::new(Semaphore::new(1));
            let permit = permits.clone().acquire_owned().await.expect("a turn");
            let making = reencode(Bytes::from_static(b"a picture"), permit);
            timeout(Duration::ZERO, making).await.expect_err("nobody waits for it any more");
            assert_eq!(permits.available_permits(), 0, "it is still to be made");
            release.send(()).expect("the work before it goes on");
            before.await.expect("it ends").expect("it was let go on");
            assert!(permits.acquire().await.is_ok(), "it is the next one's");
        });
    }
}
