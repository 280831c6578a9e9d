//! The requirements for files that items use as pictures.

use std::str::FromStr;

use crate::Locale;

/// What is wrong with a file that an item uses as a picture. The site shows the item without that picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFault {
    /// Its file type is not supported.
    Kind,
    /// It is broken, or not a picture.
    Broken,
    /// It is a JPEG that ends too early, for example because its upload was interrupted.
    Cut,
    /// It has too many pixels.
    TooLarge,
}

/// The error for an unknown name of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such fault of a picture")]
pub struct UnknownFault;

impl PictureFault {
    /// Every fault.
    pub const ALL: [Self; 4] = [Self::Kind, Self::Broken, Self::Cut, Self::TooLarge];

    /// Returns its name as it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Broken => "broken",
            Self::Cut => "cut",
            Self::TooLarge => "too_large",
        }
    }

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
                "must be a picture of at most 64 megapixels: make it smaller and upload it again"
            }
            (Self::TooLarge, Locale::Es) => {
                "debe ser una imagen de 64 megapíxeles como máximo: redúzcala y súbala de nuevo"
            }
        }
    }
}

impl FromStr for PictureFault {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|fault| fault.name() == name).ok_or(UnknownFault)
    }
}
