// Runs before the first paint, so that a dark page does not flash white. The key is the one Mantine stores.
(() => {
  let storedScheme = null;
  try {
    storedScheme = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage is blocked: use the system's scheme.
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const isDark = storedScheme === "dark" || (storedScheme !== "light" && system.matches);
    document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
  };
  apply();
  if (storedScheme !== "dark" && storedScheme !== "light") system.addEventListener("change", apply);
})();
