import type { Bounds, Point } from "#app/lib/map/projection.ts";
import { between, type Camera, fitted, held, pushed, type Size, zoomedAt } from "./camera.ts";

/** Who moved the map: a search follows the visitor, never the page itself. */
export type Mover = "visitor" | "page";

interface Listener {
  /** At each change: for what is placed by hand, outside React. */
  onMove(camera: Camera, size: Size): void;
  /** When the map has come to rest. */
  onRest(camera: Camera, size: Size, mover: Mover): void;
}

const GLIDE_MS = 280;
/** A hand that pauses for so long has stopped. */
const REST_MS = 140;

/** Holds the map's camera and moves it, at once or gliding. */
export class Motion {
  #camera: Camera;
  #size: Size = { width: 0, height: 0 };
  #target: Camera | undefined;
  #mover: Mover = "page";
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #listener: Listener | undefined;
  /** Where there is ground to see: the camera stays there. */
  readonly #within: Bounds;

  constructor(camera: Camera, within: Bounds) {
    this.#camera = camera;
    this.#within = within;
  }

  /** Tells one listener of every move from now on, until the answer is called. */
  tell(listener: Listener): () => void {
    this.#listener = listener;
    return () => {
      this.#stop();
      clearTimeout(this.#rest);
      this.#listener = undefined;
    };
  }

  get camera(): Camera {
    return this.#camera;
  }

  get size(): Size {
    return this.#size;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#set(this.#camera);
    this.#restSoon();
  }

  push(by: Point): void {
    this.#stop();
    this.#mover = "visitor";
    this.#set(pushed(this.#camera, by));
    this.#restSoon();
  }

  /** As a wheel or two fingers do: at once. */
  zoomAt(zoom: number, pixel: Point): void {
    this.#stop();
    this.#mover = "visitor";
    this.#set(zoomedAt(this.#camera, this.#size, this.#held(zoom), pixel));
    this.#restSoon();
  }

  /** As a key or a button does: by some steps, gliding, about the middle or a pixel. */
  zoomBy(steps: number, pixel: Point = this.middle): void {
    const from = this.#target ?? this.#camera;
    const zoom = this.#held(Math.round((from.zoom + steps) * 2) / 2);
    this.#glide(zoomedAt(from, this.#size, zoom, pixel), "visitor");
  }

  /** By a share of what is seen, gliding. */
  step(right: number, down: number): void {
    const by = { x: -right * this.#size.width, y: -down * this.#size.height };
    this.#glide(pushed(this.#target ?? this.#camera, by), "visitor");
  }

  fit(bounds: Bounds, mover: Mover, glides = true): void {
    const camera = fitted(bounds, this.#size);
    if (glides) this.#glide(camera, mover);
    else {
      this.#stop();
      this.#mover = mover;
      this.#set(camera);
      this.#restNow();
    }
  }

  get middle(): Point {
    return { x: this.#size.width / 2, y: this.#size.height / 2 };
  }

  #held(zoom: number): number {
    return held({ ...this.#camera, zoom }, this.#size, this.#within).zoom;
  }

  #set(camera: Camera): void {
    this.#camera = held(camera, this.#size, this.#within);
    this.#listener?.onMove(this.#camera, this.#size);
  }

  #glide(to: Camera, mover: Mover): void {
    this.#stop();
    this.#mover = mover;
    const target = held(to, this.#size, this.#within);
    const from = this.#camera;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#set(target);
      this.#restSoon();
      return;
    }
    this.#target = target;
    const began = performance.now();
    const draw = (now: number) => {
      const share = Math.min(Math.max((now - began) / GLIDE_MS, 0), 1);
      this.#set(between(from, target, 1 - (1 - share) ** 3));
      if (share < 1) this.#frame = requestAnimationFrame(draw);
      else {
        this.#target = undefined;
        this.#restSoon();
      }
    };
    this.#frame = requestAnimationFrame(draw);
  }

  #stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#target = undefined;
  }

  #restSoon(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#restNow(), REST_MS);
  }

  #restNow(): void {
    clearTimeout(this.#rest);
    if (this.#target) return;
    const mover = this.#mover;
    this.#mover = "page";
    this.#listener?.onRest(this.#camera, this.#size, mover);
  }
}
