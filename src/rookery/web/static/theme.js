// Applies the chosen theme before the first paint; settings.js applies the other settings.
try {
  const theme = JSON.parse(localStorage.getItem("rookery.settings"))?.theme;
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // No stored settings: use the system's theme.
}
