import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { Embed, PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { EMBED_SERVICES } from "#app/lib/property/embeds.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { mediaUrl } from "#app/ui/picture.tsx";
import { watchMessages } from "./watch-messages.ts";

/** A video and a virtual tour of the home. Nothing is loaded from third parties until the visitor presses. */
export function Watch({ property }: { property: PropertyDetail }) {
  const t = useMessages(watchMessages);
  const { video, tour } = property.particulars ?? {};
  if (!video && !tour) return null;
  return (
    <section aria-labelledby="watch" className="print:hidden">
      <h2 id="watch" className="text-heading">
        {video && tour ? t.both : video ? t.video : t.tour}
      </h2>
      <div className="mt-5 flex flex-col gap-6">
        {video ? <Screen of={video} name={t.video} start={t.startVideo} {...property} /> : null}
        {tour ? <Screen of={tour} name={t.tour} start={t.startTour} {...property} /> : null}
      </div>
    </section>
  );
}

interface ScreenProps extends Pick<PropertyDetail, "images" | "title"> {
  of: Embed;
  name: string;
  start: string;
}

/** A ref callback with a stable identity, so that only a newly mounted player takes the focus. */
function takeFocus(player: HTMLIFrameElement | null): void {
  player?.focus();
}

/** The home's first image with a start button; without a script it is a link to the service's page. */
function Screen({ of: { service, id }, name, start, images: [poster], title }: ScreenProps) {
  const t = useMessages(watchMessages);
  const link = useRef<HTMLAnchorElement>(null);
  const [isButton, setIsButton] = useState(false);
  const [playing, setPlaying] = useState(false);
  // A focused link stays, since it would lose the focus.
  useEffect(() => setIsButton(link.current !== document.activeElement), []);
  const { name: serviceName, page, frame } = EMBED_SERVICES[service];
  const opener = {
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      setPlaying(true);
    },
    className: `${buttonStyle.primary} relative`,
    children: (
      <>
        <Icon name="forward" className="size-4.5" />
        {start}
      </>
    ),
  };
  return (
    <div>
      <div className="relative flex aspect-3/2 items-end overflow-hidden rounded-card bg-sunk p-4">
        {playing ? (
          <iframe
            ref={takeFocus}
            src={frame(id)}
            title={t.of(name, title)}
            allow="autoplay; fullscreen"
            referrerPolicy="strict-origin-when-cross-origin"
            className="absolute inset-0 size-full"
          />
        ) : (
          <>
            {poster ? (
              <img
                src={mediaUrl(poster, 960, "webp")}
                alt=""
                loading="lazy"
                className="absolute inset-0 size-full object-cover"
              />
            ) : null}
            {isButton ? (
              <button type="button" {...opener} />
            ) : (
              <a ref={link} href={page(id)} target="_blank" rel="noopener noreferrer" {...opener} />
            )}
          </>
        )}
      </div>
      <p className="mt-2 max-w-[60ch] text-sm text-muted">{t.whose(serviceName)}</p>
    </div>
  );
}
