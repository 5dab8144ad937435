import { useQuery } from "@tanstack/react-query";
import { producerPathQuery } from "../api/producer-paths.ts";
import { DocumentLink } from "./document-link.tsx";

/** A producer's name, with a link to the public page if there is one. */
export function ProducerLink({ id, name }: { id: number; name: string }) {
  const { data: path } = useQuery(producerPathQuery(id));
  return path ? (
    <DocumentLink href={path}>
      <bdi>{name}</bdi>
    </DocumentLink>
  ) : (
    <bdi>{name}</bdi>
  );
}
