import {
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  Suspense,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import { useNavigation } from "react-router";
import { isTakingOver, makeSleeper, type Sleeper, watch } from "#app/lib/browser/sleepers.ts";

interface WhenNearProps extends HTMLAttributes<HTMLElement> {
  /** The element that the children stand in. */
  as: "div" | "footer" | "li" | "section";
}

/**
 * Children that React takes over when they come near the window, or are used from afar: a document
 * wakes up with what is in sight. Until then they are what the server wrote, where links and forms
 * do what links and forms do. What the browser renders itself is there at once.
 *
 * What the children show of answers that change must come to them by their parent's rendering: a
 * part that still slept would find the new answer, and the document the old one.
 */
export function WhenNear({ as: Element, children, ...rest }: WhenNearProps) {
  const [sleeper] = useState(() => (isTakingOver() ? makeSleeper() : undefined));
  const element = useRef<HTMLElement>(null);
  // A part that sleeps can't follow its parent, nor a step to another page: React would throw it out.
  useNavigation();
  if (sleeper?.watched) sleeper.wake();
  useEffect(() => {
    if (sleeper && !sleeper.awake && element.current) return watch(element.current, sleeper);
  }, [sleeper]);
  return (
    <Element ref={element as Ref<never>} {...rest}>
      <Suspense>{sleeper ? <Sleeping sleeper={sleeper}>{children}</Sleeping> : children}</Suspense>
    </Element>
  );
}

function Sleeping({ sleeper, children }: { sleeper: Sleeper; children: ReactNode }) {
  if (!sleeper.awake) use(sleeper.woken);
  return children;
}
