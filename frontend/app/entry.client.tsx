import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { takeCarriedState } from "#app/lib/browser/carried-state.ts";
import { ignoreSkippedTransitions } from "#app/lib/browser/skipped-transition.ts";
import { browserQueryClient } from "#app/lib/query/client.ts";
import { seedQueryClient } from "#app/lib/query/seed.tsx";
import { reloadForLostScripts } from "#app/lib/release/lost-script.ts";

reloadForLostScripts();
ignoreSkippedTransitions();
takeCarriedState();

/** The fields in which a visitor may have typed before hydration. */
const fields = document.querySelectorAll<
  HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
>("input, select, textarea");
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
        import("#app/lib/browser/typed-fields.ts")
          .then(({ restoreTyped }) => restoreTyped(fields))
          // Without a connection what was typed is lost, as on any page that is left.
          .catch(() => {});
      },
    },
  );
});
