//! Pictures of what is to be valued: each is taken before the enquiry that names it.

use bytes::Bytes;
use pictures::{Format, ScaleError, decode_at_most, decoding_bytes, encode};
use sqlx::{PgPool, Postgres, Transaction};
use tokio::{
    sync::OwnedSemaphorePermit,
    task::{JoinError, spawn_blocking},
};
use uuid::Uuid;

use crate::Error;

/// The largest file that is taken, in bytes: what telephones make is half of it.
pub const MAX_PICTURE_BYTES: usize = 12 << 20;
/// Its width for the office, in pixels: enough to look at, and five of them still fit a mail.
const WIDTH: u32 = 1_600;
/// The most memory that reading one may take, in bytes: that of 25 million pixels.
const MAX_DECODING_BYTES: u64 = 256 << 20;

/// Why a file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// It is no picture.
    #[error(transparent)]
    Unreadable(#[from] ScaleError),
    /// It has too many pixels.
    #[error("the picture has too many pixels")]
    TooLarge,
    /// Reading it was given up.
    #[error(transparent)]
    GivenUp(#[from] JoinError),
}

/// `file` as the office sees it: a JPEG of moderate size, without anything that stood beside its pixels.
///
/// The work goes on where its sender hangs up, so the `turn` ends with it and not with the request.
pub async fn made_anew(file: Bytes, turn: OwnedSemaphorePermit) -> Result<Bytes, PictureError> {
    spawn_blocking(move || {
        let _turn = turn;
        if decoding_bytes(&file)? > MAX_DECODING_BYTES {
            return Err(PictureError::TooLarge);
        }
        Ok(encode(&decode_at_most(&file, WIDTH)?, Format::Jpeg)?)
    })
    .await?
}

/// Keeps `jpeg` until its enquiry comes; by what it names it then.
pub async fn keep(pool: &PgPool, jpeg: &[u8]) -> Result<Uuid, Error> {
    // Whoever knows it may send it, so nobody may guess it.
    let id = Uuid::new_v4();
    sqlx::query!("insert into visitor.picture (id, jpeg) values ($1, $2)", id, jpeg)
        .execute(pool)
        .await?;
    Ok(id)
}

/// Puts `pictures` to their `enquiry`. Whether all of them were there, and nobody's yet.
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

/// The pictures of `enquiry`, in the order in which they were chosen.
pub async fn of(pool: &PgPool, enquiry: Uuid) -> Result<Vec<Vec<u8>>, Error> {
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
    fn the_turn_of_whoever_hangs_up_ends_with_the_work() {
        let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(1).build();
        runtime.expect("a runtime").block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let before = spawn_blocking(move || held.recv());
            let turns = Arc::new(Semaphore::new(1));
            let turn = turns.clone().acquire_owned().await.expect("a turn");
            let making = made_anew(Bytes::from_static(b"a picture"), turn);
            timeout(Duration::ZERO, making).await.expect_err("nobody waits for it any more");
            assert_eq!(turns.available_permits(), 0, "it is still to be made");
            release.send(()).expect("the work before it goes on");
            before.await.expect("it ends").expect("it was let go on");
            assert!(turns.acquire().await.is_ok(), "it is the next one's");
        });
    }
}
