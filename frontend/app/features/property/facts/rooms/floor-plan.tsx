import { type ComponentType, type MouseEvent, useRef, useState } from "react";
import type { Picture } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { mediaUrl } from "#app/ui/picture.tsx";
import type { LightboxProps } from "../../gallery/lightbox/lightbox.tsx";
import { roomsMessages } from "./rooms-messages.ts";

/** The plan, small; pressed it opens over the window or, without a script, by itself. */
export function FloorPlan({ plan, title }: { plan: Picture; title: string }) {
  const t = useMessages(roomsMessages);
  const opener = useRef<HTMLAnchorElement>(null);
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps>>();
  const [isOpen, setOpen] = useState(false);
  const href = mediaUrl(plan, 1600, "jpg");
  const open = (event: MouseEvent) => {
    event.preventDefault();
    import("../../gallery/lightbox/lightbox.tsx").then(
      (module) => {
        // None comes to a page that is being left.
        setLightbox(() => module?.Lightbox);
        setOpen(true);
      },
      () => location.assign(href),
    );
  };
  return (
    <div>
      <a ref={opener} href={href} onClick={open} className="mt-4 flex flex-col items-start gap-2">
        <img
          src={mediaUrl(plan, 800, "webp")}
          alt={plan.alt}
          width={plan.width}
          height={plan.height}
          loading="lazy"
          className="w-full rounded-card border border-line"
        />
        <span className="text-link">{t.seePlan}</span>
      </a>
      {Lightbox ? (
        <Lightbox
          pictures={[plan]}
          start={isOpen ? 0 : undefined}
          title={`${t.plan}: ${title}`}
          alt={() => t.plan}
          onClose={() => setOpen(false)}
          opener={opener}
        />
      ) : null}
    </div>
  );
}
