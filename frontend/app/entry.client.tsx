import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { ignoreSkippedTransitions } from "#app/lib/browser/skipped-transition.ts";
import { browserQueryClient } from "#app/lib/query/client.ts";
import { seedQueryClient } from "#app/lib/query/seed.tsx";
import { reloadForLostScripts } from "#app/lib/release/lost-script.ts";
import { takeCarriedState } from "#app/lib/router-internals/carried-state.ts";

reloadForLostScripts();
ignoreSkippedTransitions();
takeCarriedState();

/** The fields in which a visitor may have typed before hydration. */
const fields = document.querySelectorAll<
  HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
>("input, select, textarea");
/** The element that has the focus, or had it when React replaced it. */
let { activeElement: focused } = document;

const loadTypedFields = () =>
  // Without a connection what was typed is lost, as on any page that is left.
  import("#app/lib/browser/typed-fields.ts").catch(() => undefined);
// For a visitor who is typing it is loaded in advance, so that the focus moves before the next key.
if (focused !== document.body) void loadTypedFields();

const recordFocus = () =>
  // Once the current task is over: by then, an element that React replaces has left the document.
  queueMicrotask(() => {
    const { activeElement, body } = document;
    if (activeElement !== body || focused?.isConnected) focused = activeElement;
  });
addEventListener("focusin", recordFocus);
addEventListener("focusout", recordFocus);

const client = browserQueryClient();
seedQueryClient(client);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <QueryClientProvider client={client}>
        <HydratedRouter />
      </QueryClientProvider>
    </StrictMode>,
    {
      onRecoverableError: (error) => {
        // Counted by lib/vitals, whose script loads later.
        performance.mark("rendered anew");
        console.info("rendered anew:", error);
        loadTypedFields().then((module) => module?.restoreTyped(fields, focused));
      },
    },
  );
});
