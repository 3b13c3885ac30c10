// Draws the API reference. Its one setting is on its own script element, because the page has no inline script.
const { document: address } = document.currentScript.dataset;

window.addEventListener('DOMContentLoaded', () => {
  SwaggerUIBundle({
    url: address,
    dom_id: '#reference',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    // Keys never go to browser storage, and no badge is fetched from elsewhere.
    persistAuthorization: false,
    validatorUrl: null,
  });
});
