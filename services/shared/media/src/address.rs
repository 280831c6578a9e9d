//! The address of a picture: `/media/<file>/<version>/<width>.<format>`.

use pictures::Format;
use uuid::Uuid;

/// The widths that pictures are scaled to, in pixels. The set is bounded because each width costs work
/// and disk space.
pub const WIDTHS: [u32; 10] = [160, 320, 480, 640, 800, 960, 1280, 1600, 1920, MAX_WIDTH];
/// The largest width. A decoded original is reduced to this width.
pub const MAX_WIDTH: u32 = 2_400;
/// The largest height of a decoded original and of everything made from it, in pixels: encoding an AVIF
/// of this size takes 450 MB.
pub const MAX_HEIGHT: u32 = 3_600;
/// The maximum length of a version, in characters.
const MAX_VERSION_LENGTH: usize = 64;

/// One version of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Original {
    /// The id of the file.
    pub file: Uuid,
    /// The version, which changes whenever the file's bytes change.
    pub version: Box<str>,
}

/// Identifies a picture: an original, a width and a format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The original that the picture is made from.
    pub original: Original,
    /// The width in pixels. A narrower original is not enlarged.
    pub width: u32,
    /// The format it is encoded in.
    pub format: Format,
}

/// Why a path is not the address of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAnAddress {
    /// The path does not have the form of an address.
    Form,
    /// The width is not one of [`WIDTHS`].
    Width,
}

impl Address {
    /// Parses `path`.
    pub fn parse(path: &str) -> Result<Self, NotAnAddress> {
        let mut parts = path.strip_prefix("/media/").ok_or(NotAnAddress::Form)?.split('/');
        let (Some(file), Some(version), Some(name), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(NotAnAddress::Form);
        };
        // Only the canonical form is accepted, so that each picture has one address and is cached once.
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

    /// Returns the name of the file that the picture is stored in. It contains only characters that are
    /// valid on every file system.
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
    fn only_valid_addresses_are_parsed() {
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
