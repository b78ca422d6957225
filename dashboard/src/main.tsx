import { render } from "preact";
import { App } from "./app";
import "./style/base.css";
import "./style/header.css";
import "./style/page.css";
import "./style/picture.css";
import "./style/numbers.css";
import "./style/side.css";

render(<App />, document.getElementById("app")!);
