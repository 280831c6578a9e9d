//! The address of a picture: `/media/<file>/<version>/<width>.<format>`.

use pictures::Format;
use uuid::Uuid;

/// The widths that pictures are scaled to. A bounded set: each is work and disk.
pub const WIDTHS: [u32; 10] = [160, 320, 480, 640, 800, 960, 1280, 1600, 1920, WIDEST];
/// The last of them: a decoded original is kept no wider.
pub const WIDEST: u32 = 2_400;
/// A decoded original is kept no higher, and nothing is made of it that is: encoding an AVIF of this size
/// takes 450 MB.
pub const HIGHEST: u32 = 3_600;
/// The longest version.
const MAX_VERSION_LENGTH: usize = 64;

/// One file as it is at one version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Original {
    /// The file.
    pub file: Uuid,
    /// Changes with its bytes.
    pub version: Box<str>,
}

/// One picture: a file at a width in a format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// What it is made from.
    pub original: Original,
    /// How wide at most.
    pub width: u32,
    /// In what format.
    pub format: Format,
}

/// Why a path names no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAnAddress {
    /// The path has another form.
    Form,
    /// The width is none of [`WIDTHS`].
    Width,
}

impl Address {
    /// Reads `path`.
    pub fn parse(path: &str) -> Result<Self, NotAnAddress> {
        let mut parts = path.strip_prefix("/media/").ok_or(NotAnAddress::Form)?.split('/');
        let (Some(file), Some(version), Some(name), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(NotAnAddress::Form);
        };
        // In one form only, so that one picture has one address and is kept once.
        let file = Uuid::try_parse(file)
            .ok()
            .filter(|uuid| uuid.hyphenated().to_string() == file)
            .ok_or(NotAnAddress::Form)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if version.is_empty() || version.len() > MAX_VERSION_LENGTH || !version.bytes().all(plain) {
            return Err(NotAnAddress::Form);
        }
        let (width, extension) = name.split_once('.').ok_or(NotAnAddress::Form)?;
        let format = match extension {
            "avif" => Format::Avif,
            "webp" => Format::WebP,
            "jpg" => Format::Jpeg,
            _ => return Err(NotAnAddress::Form),
        };
        let width = WIDTHS
            .into_iter()
            .find(|allowed| allowed.to_string() == width)
            .ok_or(NotAnAddress::Width)?;
        Ok(Self { original: Original { file, version: version.into() }, width, format })
    }

    /// The name of the file that holds it: of characters that no file system minds.
    pub fn file_name(&self) -> String {
        let Self { original, width, format } = self;
        let extension = format.extension();
        format!("{}_{}_{width}.{extension}", original.file.simple(), original.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "181084cc-dec9-5203-b896-9b8af8129288";

    #[test]
    fn only_an_address_of_a_picture_is_one() {
        let good = Address::parse(&format!("/media/{FILE}/1a2b/640.avif")).expect("an address");
        assert_eq!((good.width, good.format), (640, Format::Avif));
        assert_eq!(good.file_name(), "181084ccdec95203b8969b8af8129288_1a2b_640.avif");
        for (path, why) in [
            (format!("/media/{FILE}/1/641.jpg"), NotAnAddress::Width),
            (format!("/media/{FILE}/1/0640.jpg"), NotAnAddress::Width),
            (format!("/media/{FILE}/1/640.gif"), NotAnAddress::Form),
            (format!("/media/{FILE}/../640.jpg"), NotAnAddress::Form),
            (format!("/media/{FILE}/%2e%2e/640.jpg"), NotAnAddress::Form),
            (format!("/media/{FILE}/1/640.jpg/x"), NotAnAddress::Form),
            (format!("/media/{}/1/640.jpg", FILE.to_uppercase()), NotAnAddress::Form),
            ("/media/etc/passwd/640.jpg".to_owned(), NotAnAddress::Form),
        ] {
            assert_eq!(Address::parse(&path), Err(why), "{path}");
        }
    }
}
