import { expect, test } from "vitest";
import { attachment } from "./content-disposition.ts";

test.each([
  ["Midnight.mp3", `attachment; filename="Midnight.mp3"; filename*=UTF-8''Midnight.mp3`],
  [
    "Żółć (stems).zip",
    `attachment; filename="Zo_c (stems).zip"; filename*=UTF-8''%C5%BB%C3%B3%C5%82%C4%87%20%28stems%29.zip`,
  ],
  ["비트.wav", `attachment; filename="__.wav"; filename*=UTF-8''%EB%B9%84%ED%8A%B8.wav`],
  [`a"; filename="b.exe`, `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`],
  ["../x\r\nset-cookie: a", `attachment; filename=".._x__set-cookie: a"; filename*=UTF-8''.._x__set-cookie%3A%20a`],
  ["100%*'.mp3", `attachment; filename="100_*'.mp3"; filename*=UTF-8''100%25%2A%27.mp3`],
  ["\ud800", `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ["", `attachment; filename="file"; filename*=UTF-8''file`],
])("the file name %j becomes a header with an ASCII form and the full name", (name, header) => {
  expect(attachment(name)).toBe(header);
});
