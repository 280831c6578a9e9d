/** Ids of the drawings: a page contains each once, and repeats it with `use`. */
const ALMIJARA = "almijara-logo";
const PROADNER = "proadner-logo";

interface LogoProps {
  width: number;
  /** Whether the page already contains the drawing, so that this one only refers to it. */
  again?: boolean;
}

/** The agency's logo: an arch with the sun behind it, and the name. The text has a fixed length. */
export function AlmijaraLogo({ width, again = false }: LogoProps) {
  return (
    <svg
      viewBox="2 0 130 40"
      width={width}
      height={Math.round((width * 40) / 130)}
      aria-hidden="true"
    >
      {again ? <use href={`#${ALMIJARA}`} /> : <AlmijaraDrawing />}
    </svg>
  );
}

function AlmijaraDrawing() {
  return (
    <g id={ALMIJARA}>
      <circle cx="26" cy="14" r="10" fill="var(--sun)" />
      <path d="M4 38V22a12 12 0 0 1 24 0v16Z" fill="var(--ink)" />
      <path d="M11 38V24a5 5 0 0 1 10 0v14Z" fill="var(--canvas)" />
      <g fill="var(--ink)">
        <text
          x="44"
          y="24"
          fontSize="24"
          textLength="86"
          lengthAdjust="spacingAndGlyphs"
          className="font-display"
        >
          Almijara
        </text>{" "}
        <text x="45" y="37" fontSize="9.5" fontWeight="600" textLength="60" className="font-sans">
          HOMES
        </text>
      </g>
    </g>
  );
}

/** The logo of the sister company, which manages communities and homes. */
export function ProadnerLogo({ width, again = false }: LogoProps) {
  return (
    <svg viewBox="0 0 160 36" width={width} height={(width * 36) / 160} aria-hidden="true">
      {again ? <use href={`#${PROADNER}`} /> : <ProadnerDrawing />}
    </svg>
  );
}

function ProadnerDrawing() {
  return (
    <g id={PROADNER}>
      <path
        d="M2 34V13L14 4l12 9v21h-8V21h-8v13Z"
        fill="none"
        stroke="var(--ink)"
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
      <text
        x="38"
        y="30"
        fontSize="27"
        fontWeight="600"
        textLength="118"
        lengthAdjust="spacingAndGlyphs"
        fill="var(--ink)"
        className="font-sans"
      >
        Proadner
      </text>
    </g>
  );
}
