//! The requirements for files that items use as pictures.

use crate::{Locale, closed_set};

/// The maximum size of a file that is shown as a picture, in bytes.
pub const MAX_PICTURE_BYTES: usize = 32 << 20;
/// The maximum number of its pixels.
pub const MAX_PICTURE_PIXELS: u64 = 64_000_000;
/// The maximum width and height, in pixels.
pub const MAX_PICTURE_SIDE: u32 = 16_384;

closed_set!(
    /// What is wrong with a file that an item uses as a picture. The site shows the item without that picture.
    PictureFault, "fault of a picture", {
        /// Its file type is not supported.
        Kind = "kind",
        /// It is broken, or not a picture.
        Broken = "broken",
        /// It is a JPEG that ends too early, for example because its upload was interrupted.
        Cut = "cut",
        /// It has too many pixels.
        TooLarge = "too_large",
        /// It has too many bytes.
        TooHeavy = "too_heavy",
        /// The content service knows the file, but no longer has its bytes.
        Missing = "missing",
    }
);

impl PictureFault {
    /// Returns what the file must be, in words that follow its field, and how to correct one that is not.
    pub const fn words_in(self, locale: Locale) -> &'static str {
        match (self, locale) {
            (Self::Kind, Locale::En) => {
                "must be a picture that can be shown: save it as JPEG, PNG, WebP or AVIF and upload it again"
            }
            (Self::Kind, Locale::Es) => {
                "debe ser una imagen que se pueda mostrar: guárdela como JPEG, PNG, WebP o AVIF y súbala de nuevo"
            }
            (Self::Broken, Locale::En) => {
                "must be a picture that can be read, and this file is broken or no picture: save it as JPEG and upload it again"
            }
            (Self::Broken, Locale::Es) => {
                "debe ser una imagen que se pueda leer, y este archivo está dañado o no es una imagen: guárdelo como JPEG y súbalo de nuevo"
            }
            (Self::Cut, Locale::En) => {
                "must be a whole picture, and this file ends too early: upload it again, and if that does not help, save it anew as JPEG first"
            }
            (Self::Cut, Locale::Es) => {
                "debe ser una imagen completa, y este archivo termina antes de tiempo: súbalo de nuevo y, si no basta, guárdelo antes otra vez como JPEG"
            }
            (Self::TooLarge, Locale::En) => {
                "must be a picture of at most 64 megapixels and 16,384 pixels a side: make it smaller and upload it again"
            }
            (Self::TooLarge, Locale::Es) => {
                "debe ser una imagen de 64 megapíxeles y 16.384 píxeles por lado como máximo: redúzcala y súbala de nuevo"
            }
            (Self::TooHeavy, Locale::En) => {
                "must be a file of at most 32 MB: save it as JPEG or make it smaller, and upload it again"
            }
            (Self::TooHeavy, Locale::Es) => {
                "debe ser un archivo de 32 MB como máximo: guárdelo como JPEG o redúzcalo, y súbalo de nuevo"
            }
            (Self::Missing, Locale::En) => {
                "must be a picture that can be read, and the contents of this file are missing: upload it again"
            }
            (Self::Missing, Locale::Es) => {
                "debe ser una imagen que se pueda leer, y falta el contenido de este archivo: súbalo de nuevo"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_state_the_limits() {
        let megapixels = format!(" {} mega", MAX_PICTURE_PIXELS / 1_000_000);
        let megabytes = format!(" {} MB", MAX_PICTURE_BYTES >> 20);
        for (locale, separator) in [(Locale::En, ","), (Locale::Es, ".")] {
            let side =
                format!(" {}{separator}{} ", MAX_PICTURE_SIDE / 1_000, MAX_PICTURE_SIDE % 1_000);
            let words = PictureFault::TooLarge.words_in(locale);
            assert!(words.contains(&megapixels) && words.contains(&side), "{words}");
            let words = PictureFault::TooHeavy.words_in(locale);
            assert!(words.contains(&megabytes), "{words}");
        }
    }
}
