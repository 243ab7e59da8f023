// Puts the chosen theme on the page before anything is drawn; the other settings can wait for settings.js.
try {
  const theme = JSON.parse(localStorage.getItem("rookery.settings"))?.theme;
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Nothing is kept here: the system's theme it is.
}
