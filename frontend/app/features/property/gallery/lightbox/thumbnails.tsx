import { useEffect, useRef } from "react";
import type { Picture } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { mediaUrl } from "#app/ui/picture.tsx";
import { lightboxMessages } from "./messages.ts";

interface ThumbnailsProps {
  pictures: readonly Picture[];
  index: number;
  onGo: (to: number) => void;
}

/**
 * A row of all pictures, except on a phone in landscape, where the picture needs its height. Scrolls the
 * current one into view, again when the screen is rotated.
 */
export function Thumbnails({ pictures, index, onGo }: ThumbnailsProps) {
  const t = useMessages(lightboxMessages);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const row = list.current;
    if (!row) return;
    const item = row.children[index];
    // The observer also reports the initial size, so that it scrolls at once.
    const observer = new ResizeObserver(() =>
      item?.scrollIntoView({ block: "nearest", inline: "center" }),
    );
    observer.observe(row);
    return () => observer.disconnect();
  }, [index]);
  return (
    <ul
      ref={list}
      aria-label={t.thumbnails}
      className="mx-auto flex short:hidden max-w-full gap-2 overflow-x-auto px-4 py-3"
    >
      {pictures.map((picture, at) => (
        <li key={picture.file} className="shrink-0">
          <button
            type="button"
            aria-current={at === index ? "true" : undefined}
            onClick={() => onGo(at)}
            className={`block overflow-hidden rounded-lg border-2 ${at === index ? "border-sun" : "border-transparent opacity-60 hover:opacity-100"}`}
          >
            <img
              src={mediaUrl(picture, 160, "webp")}
              alt={t.position(at + 1, pictures.length)}
              width={72}
              height={48}
              loading="lazy"
              className="plaster h-12 w-18 object-cover"
            />
          </button>
        </li>
      ))}
    </ul>
  );
}
