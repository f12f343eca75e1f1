// What the page is told, and what its parts hand each other. Read by the type checker alone.

export type Child = Vnode | string | number | null | undefined | boolean | Child[];
export interface Props {
  key?: string;
  [name: string]: any;
}
export interface Vnode {
  tag: string;
  props: Props;
  children: (Vnode | string)[];
}

/** How a node fares, and what is asked of it. */
export interface Vitals {
  memory_bytes: number;
  memory_used_bytes: number;
  busy?: number;
  temperature_c?: number;
  watts?: number;
  joules?: number;
  requests: number;
  waiting: number;
  prompt_tokens: number;
  cached_tokens: number;
  tokens: number;
  first_tokens: number;
  first_token_us: number;
}
export type Counts = Pick<Vitals, "requests" | "waiting" | "prompt_tokens" | "cached_tokens" | "tokens" | "first_tokens" | "first_token_us">;

export interface LinkFacts {
  to: string;
  round_trip_us: number;
  bytes_per_s: number;
  transport: string;
}
export interface NodeFacts {
  id: string;
  name: string;
  live: boolean;
  addresses?: string[];
  software?: string;
  cores?: number;
  memory_bytes?: number;
  read_bytes_per_s?: number;
  accelerators?: string[];
  /** What models may be placed on, beside cores. */
  devices?: { device: string; name: string; room_bytes: number | null }[];
  models?: string[];
  pulling?: string[];
  links: LinkFacts[];
  api?: string | null;
  machine?: string;
}
export interface RankFacts {
  rank: number;
  node: string;
  bytes: number;
  /** Where it computes there. */
  device?: string;
  state: string;
  loaded_bytes?: number;
  total_bytes?: number;
}
export interface InstanceFacts {
  model: string;
  instance: number;
  generation?: string;
  state?: string;
  context: number;
  requests?: number;
  ranks: RankFacts[];
}
export interface EventFacts {
  number?: number;
  at_unix_ms: number;
  weight: "good" | "plain" | "bad";
  text: string;
}
export interface Finding {
  check: string;
  node?: string;
  found: string;
  why: string;
  mend?: string;
  weight: "bad" | "plain" | "good";
}
export interface State {
  cluster?: string;
  self?: string;
  nodes: NodeFacts[];
  instances: InstanceFacts[];
  wanted: string[];
  refused: Record<string, string>;
  models: { name: string; bytes: number; nodes: string[] }[];
  vitals?: Record<string, Vitals>;
  events?: EventFacts[];
  findings?: Finding[];
  /** What goes over the link between two nodes now, both ways together. */
  traffic?: { between: [string, string]; bytes_per_s: number }[];
  /** Of the machines that tell. */
  energy?: { watts: number; tokens_per_joule?: number } | null;
}
export interface RequestFacts {
  id: string;
  model: string;
  for_ms: number;
  first_token_ms: number | null;
  prompt_tokens: number;
  tokens: number;
}
export interface PullFacts {
  note?: string;
  file?: string;
  total_bytes?: number;
  have_bytes?: number;
  done?: boolean;
  failed?: string;
}
export interface Activity {
  requests: RequestFacts[];
  counts: Counts;
  pulls: Record<string, PullFacts>;
}
/** One second or so, as the page saw it. */
export interface Sample {
  at: number;
  tokens_per_s: number;
  prompt_tokens_per_s: number;
  first_token_ms: number | null;
  requests: number;
  waiting: number;
  cached: number | null;
  watts: number | null;
}
export interface Preview {
  model: string;
  context: number;
  tokens_per_s: number;
  stages: number;
  /** Where each node would compute. */
  devices?: string[];
  ranks: { node: string; share: number; bytes: number; layers: [number, number] }[];
}
export interface ChatMessage {
  role: "user" | "assistant";
  content: string;
  thoughts?: string;
  model?: string;
  tokens?: number;
  tokens_per_s?: number;
  first_token_ms?: number;
  stopped?: boolean;
  failed?: string;
}
export interface Conversation {
  id: string;
  title: string;
  model: string;
  at: number;
  messages: ChatMessage[];
}
