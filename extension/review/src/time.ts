/** Frames of a take and seconds, and how both are written. */
import type { Range, Rate, Take } from "./types";

export const perSecond = (rate: Rate): number => rate[0] / rate[1];
export const seconds = (frames: number, rate: Rate): number => (frames * rate[1]) / rate[0];
export const frameAt = (time: number, rate: Rate): number => Math.floor((time * rate[0]) / rate[1] + 1e-6);

const two = (number: number): string => String(number).padStart(2, "0");

/** Minutes and seconds, with hours where there are any: `01:27`, `1:02:03`. */
export function clock(time: number): string {
  const whole = Math.max(0, Math.round(time));
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** A frame as timecode, to the hundredth of a second: `00:14.30`. */
export function timecode(time: number): string {
  const hundredths = Math.max(0, Math.floor(time * 100 + 1e-6));
  const whole = Math.floor(hundredths / 100);
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${two(hundredths % 100)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** How long a range is, in seconds. */
export function length(range: Range, takes: Readonly<Record<string, Take>>): number {
  const take = takes[range.take];
  return take ? seconds(range.frames[1] - range.frames[0], take.rate) : 0;
}

export const kept = (range: Range): boolean => range.status !== "rejected";
