// What the roles of choices are called in sentences such as "a place where you can put up a wall".

export const ROLE_WORDS = {
  wall: "put up a wall",
  rotate: "turn a wall",
  take: "take a cell",
  golden: "make a golden move",
};
