import { initials } from "./initials.ts";

interface AvatarProps {
  name: string;
  src?: string | undefined;
}

/** Somebody's face beside words that name them, or their initials in its place. */
export function Avatar({ name, src }: AvatarProps) {
  return src === undefined ? (
    <span aria-hidden="true" className="avatar">
      {initials(name)}
    </span>
  ) : (
    <img src={src} alt="" width={32} height={32} className="avatar" />
  );
}
