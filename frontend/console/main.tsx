import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { showTheme, storedTheme } from "#app/lib/theme/theme.ts";
import { watchActivity } from "./lib/idle.ts";
import { makeConsole } from "./router.tsx";
import "./styles/console.css";

// The page may have no inline script: the colours are set here, before anything is drawn.
showTheme(storedTheme());

const { client, router } = makeConsole();

// Polling stops while the operator is idle; refetching restarts it.
watchActivity(window, () => void client.refetchQueries({ type: "active" }));

const container = document.querySelector("#console");
if (container) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
