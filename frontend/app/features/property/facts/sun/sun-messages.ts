import { defineMessages } from "#app/lib/i18n/messages.ts";
import type { Span } from "./sun-course.ts";

/** Texts of the section about the hours of sun. */
export const sunMessages = defineMessages({
  en: {
    title: (terrace: boolean) => (terrace ? "Sun on the terrace" : "Sun in the rooms"),
    faces: (side: string, terrace: boolean) =>
      `The ${terrace ? "main terrace faces" : "main rooms face"} ${side.toLowerCase()}.`,
    winter: "21 December",
    summer: "21 June",
    hours: (spans: readonly Span[]) => {
      const phrases = spans.map(
        ({ from, fromSunrise, until, untilSunset }) =>
          `${fromSunrise ? `from sunrise at ${from}` : `from about ${from}`} ${untilSunset ? `until sunset at ${until}` : `until about ${until}`}`,
      );
      return phrases.length === 0 ? "No direct sun." : `Sun ${phrases.join(" and again ")}.`;
    },
    winterShort: "21 Dec",
    summerShort: "21 Jun",
    compass: "NESW",
    caution:
      "Calculated as if nothing were in the way: hills, buildings, trees and awnings may block some of it.",
  },
  es: {
    title: (terrace) => (terrace ? "Sol en la terraza" : "Sol en las estancias"),
    faces: (side, terrace) =>
      `${terrace ? "La terraza principal da" : "Las estancias principales dan"} al ${side.toLowerCase()}.`,
    winter: "21 de diciembre",
    summer: "21 de junio",
    hours: (spans) => {
      const phrases = spans.map(
        ({ from, fromSunrise, until, untilSunset }) =>
          `${fromSunrise ? `desde el amanecer, a las ${from},` : `desde las ${from}${untilSunset ? ", aproximadamente," : ""}`} ${untilSunset ? `hasta la puesta de sol, a las ${until}` : `hasta las ${until}, aproximadamente`}`,
      );
      return phrases.length === 0 ? "Sin sol directo." : `Sol ${phrases.join(" y de nuevo ")}.`;
    },
    winterShort: "21 dic.",
    summerShort: "21 jun.",
    compass: "NESO",
    caution:
      "Calculado sin obstáculos: montes, edificios, árboles y toldos pueden quitar una parte.",
  },
});
