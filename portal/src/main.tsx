import "@fontsource-variable/geist";
import "@fontsource-variable/geist-mono";
import "@mantine/core/styles.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { router } from "./routes.tsx";
import { cssVariablesResolver, theme } from "./shell/theme.ts";

// An update of the server removes the chunks of an open page. Reload for the new ones, at most once in ten seconds.
window.addEventListener("vite:preloadError", () => {
  const reloadedAtMs = Number(sessionStorage.getItem("beatmarket-reloaded") ?? 0);
  if (Date.now() - reloadedAtMs < 10_000) return;
  sessionStorage.setItem("beatmarket-reloaded", String(Date.now()));
  location.reload();
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
