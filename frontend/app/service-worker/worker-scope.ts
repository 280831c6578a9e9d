/**
 * What the service worker uses of its global scope. TypeScript's types of workers can't be loaded beside those of
 * pages.
 */
export interface WorkerScope {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
  addEventListener(type: "message", listener: (event: ReportEvent) => void): void;
}

export interface WorkerEvent {
  /** Keeps the worker running until the work is done. */
  waitUntil(work: Promise<unknown>): void;
}

/** A request of a page, which the worker may answer. */
export interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  /** The answer to a request that the browser sent while the worker started. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

/** A message of a page. */
interface ReportEvent extends WorkerEvent {
  readonly data: SeenPage;
}

/** What a page reports to the worker: the page that is open, if the worker did not load it, or a favourite. */
export interface SeenPage {
  /** Its address, absolute or from the root. */
  readonly page: string;
  /** The addresses of its pictures that have loaded. */
  readonly files?: readonly string[];
  readonly favourite?: boolean;
}
