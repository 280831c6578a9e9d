import type { Picture } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { mediaUrl } from "#app/ui/picture.tsx";
import { useLightbox } from "../../gallery/lightbox/use-lightbox.tsx";
import { roomsMessages } from "./rooms-messages.ts";

/** A small floor plan that opens in the lightbox or, without a script, as an image of its own. */
export function FloorPlan({ plan, title }: { plan: Picture; title: string }) {
  const t = useMessages(roomsMessages);
  const href = mediaUrl(plan, 1600, "jpg");
  const lightbox = useLightbox(() => location.assign(href));
  return (
    <div>
      <a
        href={href}
        onClick={(event) => lightbox.open(event)}
        className="mt-4 flex flex-col items-start gap-2"
      >
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
      {lightbox.over({ pictures: [plan], title: `${t.plan}: ${title}`, alt: () => t.plan })}
    </div>
  );
}
