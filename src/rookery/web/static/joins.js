// What joins adjacent cells of one owner in a picture, so that they are drawn as one area.

import { svg } from "./dom.js";
import { ownerClass, SIZE } from "./draw.js";

const ROUND = 14; // corner radius of cells

export class Joins {
  /** @type {Map<string, SVGElement>} */
  #drawn = new Map();

  /**
   * @param {SVGElement} layer
   * @param {import("./geometry.js").Geometry} geometry
   */
  constructor(layer, geometry) {
    this.layer = layer;
    this.geometry = geometry;
  }

  /**
   * Fills the gaps between a cell and its neighbours of the same owner, and the holes between four; or empties them.
   * @param {Api.Scene} scene
   * @param {number} index
   */
  redraw(scene, index) {
    const { cols } = this.geometry;
    const [row, col] = [Math.floor(index / cols), index % cols];
    for (const top of [row - 1, row])
      this.#bridge(scene, "down", [
        [top, col],
        [top + 1, col],
      ]);
    for (const left of [col - 1, col])
      this.#bridge(scene, "across", [
        [row, left],
        [row, left + 1],
      ]);
    for (const top of [row - 1, row])
      for (const left of [col - 1, col])
        this.#bridge(scene, "hole", [
          [top, left],
          [top, left + 1],
          [top + 1, left],
          [top + 1, left + 1],
        ]);
  }

  /**
   * @param {Api.Scene} scene
   * @param {string} kind
   * @param {[number, number][]} spots
   */
  #bridge(scene, kind, spots) {
    const { rows, cols, pitch, gap } = this.geometry;
    const key = `${kind} ${spots[0]}`;
    this.#drawn.get(key)?.remove();
    this.#drawn.delete(key);
    if (spots.some(([row, col]) => row < 0 || col < 0 || row >= rows || col >= cols)) return;
    const cells = spots.map(([row, col]) => scene.cells[row * cols + col]);
    if (cells.some(cell => cell.role !== "owned" || cell.owner !== cells[0].owner)) return;
    const [x, y] = [spots[0][1] * pitch, spots[0][0] * pitch];
    const [near, long, wide] = [SIZE - 3, SIZE - 2 * ROUND, gap + 6];
    const [corner, across] = [SIZE - ROUND - 3, gap + 2 * ROUND + 6];
    const hole = { x: x + corner, y: y + corner, width: across, height: across };
    const box =
      kind === "hole"
        ? hole
        : kind === "across"
          ? { x: x + near, y: y + ROUND, width: wide, height: long }
          : { x: x + ROUND, y: y + near, width: long, height: wide };
    const join = svg(`rect.join.${ownerClass(cells[0].owner)}`, box);
    this.#drawn.set(key, join);
    this.layer.append(join);
  }
}
