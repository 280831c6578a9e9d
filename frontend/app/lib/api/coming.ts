import type {
  ApiBody,
  ListingStatus,
  Picture,
  PropertyDetail,
  PropertyItem,
  SiteSettings,
} from "./types.ts";

/** What a property was asked for, and how it stood, from a moment on. */
export interface HistoryEntry {
  at: string;
  price: number | null;
  status: ListingStatus;
}

/** What the API will say of a property beside what it says today. */
export interface ComingDetail {
  /** Oldest first. */
  history?: HistoryEntry[];
  energy?: { emissionsRating?: string | null } | null;
}

export function comingDetail(property: PropertyDetail): ComingDetail {
  return property as ComingDetail;
}

/** What a home that has been withdrawn leaves behind: the body of a 410, beside what says so. */
export interface GoneProperty {
  ref: string;
  location: { slug: string; name: string };
  similar: PropertyItem[];
}

/** The editors' figures for purchase costs and mortgages, as they keep them. */
export function figuresOf(settings: SiteSettings): unknown {
  return (settings as { figures?: unknown }).figures;
}

/** A guide, legal text or landing page, with its names as the API sends them. */
export type ContentPage = Omit<ApiBody<"/api/pages/{slug}">, "meta_description"> & {
  metaDescription: string;
};

/** An article, with its names as the API sends them. */
export type Article = Omit<ApiBody<"/api/articles/{slug}">, "published_at"> & {
  publishedAt?: string | null;
};

/** Someone who works here. */
export interface TeamMember {
  id: string | number;
  name: string;
  role: string;
  bio: string;
  photo: Picture | null;
  phone: string | null;
  email: string | null;
}

export interface Team {
  items: TeamMember[];
}
