// Runs before the first paint, so that a dark page does not flash white. The key is the one Mantine stores.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage is blocked: use the system's scheme.
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const isDark = chosen === "dark" || (chosen !== "light" && system.matches);
    document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
  };
  apply();
  if (chosen !== "dark" && chosen !== "light") system.addEventListener("change", apply);
})();
