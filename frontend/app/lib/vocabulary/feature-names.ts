import type { Locale } from "#app/lib/i18n/locale.ts";

const NAMES: Record<string, Record<Locale, string>> = {
  "air-conditioning": { en: "Air conditioning", es: "Aire acondicionado" },
  alarm: { en: "Alarm", es: "Alarma" },
  "avocado-trees": { en: "Avocado trees", es: "Aguacates" },
  barbecue: { en: "Barbecue", es: "Barbacoa" },
  beachfront: { en: "Beachfront", es: "Primera línea de playa" },
  "communal-pool": { en: "Shared pool", es: "Piscina comunitaria" },
  "double-glazing": { en: "Double glazing", es: "Doble acristalamiento" },
  fireplace: { en: "Fireplace", es: "Chimenea" },
  "fitted-kitchen": { en: "Fitted kitchen", es: "Cocina equipada" },
  "fitted-wardrobes": { en: "Fitted wardrobes", es: "Armarios empotrados" },
  furnished: { en: "Furnished", es: "Amueblada" },
  garage: { en: "Garage", es: "Garaje" },
  garden: { en: "Garden", es: "Jardín" },
  gated: { en: "Gated", es: "Recinto cerrado" },
  "guest-flat": { en: "Guest flat", es: "Apartamento de invitados" },
  heating: { en: "Heating", es: "Calefacción" },
  jacuzzi: { en: "Jacuzzi", es: "Jacuzzi" },
  lift: { en: "Lift", es: "Ascensor" },
  "near-golf": { en: "Near golf", es: "Cerca del golf" },
  parking: { en: "Parking", es: "Aparcamiento" },
  pool: { en: "Pool", es: "Piscina" },
  "private-pool": { en: "Private pool", es: "Piscina privada" },
  "roof-terrace": { en: "Roof terrace", es: "Azotea" },
  "solar-panels": { en: "Solar panels", es: "Placas solares" },
  solarium: { en: "Solarium", es: "Solárium" },
  "storage-room": { en: "Storage room", es: "Trastero" },
  terrace: { en: "Terrace", es: "Terraza" },
  "garden-view": { en: "Garden view", es: "Vistas al jardín" },
  "mountain-view": { en: "Mountain view", es: "Vistas a la sierra" },
  "pool-view": { en: "Pool view", es: "Vistas a la piscina" },
  "sea-view": { en: "Sea view", es: "Vistas al mar" },
  "village-view": { en: "Village view", es: "Vistas al pueblo" },
  "walk-to-beach": { en: "Walk to the beach", es: "Playa a pie" },
  well: { en: "Well", es: "Pozo" },
  "wheelchair-access": { en: "Wheelchair access", es: "Accesible en silla de ruedas" },
};

/** A feature's name; one that the editors have just invented is shown as they wrote it. */
export function featureName(feature: string, locale: Locale): string {
  const known = NAMES[feature]?.[locale];
  if (known) return known;
  const words = feature.replaceAll("-", " ");
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** The features worth reading: a pool that is named more exactly need not be named twice. */
export function distinctFeatures(features: readonly string[]): string[] {
  const exactly = features.some((feature) => feature.endsWith("-pool"));
  return features.filter((feature) => !(exactly && feature === "pool"));
}
