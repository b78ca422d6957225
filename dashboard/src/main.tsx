import { render } from "preact";
import { App } from "./app";
import { followSignInLink } from "./parts/session";
import "./style/base.css";
import "./style/layout.css";
import "./style/text.css";
import "./style/controls.css";
import "./style/cards.css";
import "./style/tables.css";
import "./style/pictures.css";

// What the page reads first depends on who reads.
void followSignInLink().then(() => render(<App />, document.getElementById("app")!));
