import { render } from "preact";
import { App } from "./app";
import { followSignInLink } from "./sign-in-link";
import "./style/base.css";
import "./style/header.css";
import "./style/page.css";
import "./style/picture.css";
import "./style/numbers.css";
import "./style/cards.css";
import "./style/games.css";
import "./style/home.css";
import "./style/cell.css";
import "./style/listing.css";
import "./style/worker.css";

// What the page reads first depends on who reads.
void followSignInLink().then(() => render(<App />, document.getElementById("app")!));
