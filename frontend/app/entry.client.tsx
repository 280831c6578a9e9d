import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { ignoreSkippedTransitions } from "#app/lib/browser/skipped-transition.ts";
import { reloadForLostScripts } from "#app/lib/release/lost-script.ts";

reloadForLostScripts();
ignoreSkippedTransitions();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
