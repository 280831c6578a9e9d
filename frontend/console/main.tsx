import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { showTheme, storedTheme } from "#app/lib/theme/theme.ts";
import { watchOver } from "./lib/idle.ts";
import { makeConsole } from "./router.tsx";
import "./styles/console.css";

// No script may stand in the page: the colours are chosen here, before anything is drawn.
showTheme(storedTheme());

const { client, router } = makeConsole();

// What has stopped asking by itself goes on from there.
watchOver(window, () => void client.refetchQueries({ type: "active" }));

const room = document.querySelector("#console");
if (room) {
  createRoot(room).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
