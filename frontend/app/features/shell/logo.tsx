interface LogoProps {
  width: number;
  className?: string;
}

/** The house: an arch with the sun behind its shoulder, and the name. Set to a fixed length. */
export function AlmijaraLogo({ width, className = "" }: LogoProps) {
  return (
    <svg
      viewBox="0 0 185 40"
      width={width}
      height={(width * 40) / 185}
      aria-hidden="true"
      className={className}
    >
      <circle cx="26" cy="14" r="10" fill="var(--sun)" />
      <path d="M4 38V22a12 12 0 0 1 24 0v16Z" fill="var(--ink)" />
      <path d="M11 38V24a5 5 0 0 1 10 0v14Z" fill="var(--canvas)" />
      <g fill="var(--ink)">
        <text
          x="44"
          y="24"
          fontSize="24"
          fontWeight="480"
          textLength="86"
          lengthAdjust="spacingAndGlyphs"
          className="font-display"
        >
          Almijara
        </text>
        <text x="45" y="37" fontSize="9.5" fontWeight="600" textLength="60" className="font-sans">
          HOMES
        </text>
      </g>
    </svg>
  );
}

/** The sister service that looks after communities and homes. */
export function ProadnerLogo({ width, className = "" }: LogoProps) {
  return (
    <svg
      viewBox="0 0 160 36"
      width={width}
      height={(width * 36) / 160}
      aria-hidden="true"
      className={className}
    >
      <path
        d="M2 34V12L14 3l12 9v22h-8V20h-8v14Z"
        fill="none"
        stroke="var(--ink)"
        strokeWidth="2.2"
        strokeLinejoin="round"
      />
      <g fill="var(--ink)">
        <text
          x="36"
          y="20"
          fontSize="19"
          fontWeight="650"
          textLength="82"
          lengthAdjust="spacingAndGlyphs"
          className="font-sans"
        >
          Proadner
        </text>
        <text
          x="36.5"
          y="32.5"
          fontSize="8.5"
          textLength="121"
          lengthAdjust="spacingAndGlyphs"
          className="font-sans"
        >
          PROPERTY ADMINISTRATION
        </text>
      </g>
    </svg>
  );
}
