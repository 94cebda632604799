/* SPDX-License-Identifier: MIT */
/* The theme's search runs in a worker and fetches its index. A browser allows neither to a page that it reads
   from a folder. For such a page a hidden frame replaces the worker, and the index is a script. With a server
   this does nothing. */
(function () {
    "use strict";
    if (location.protocol !== "file:")
        return;
    function Frame(address) {
        var worker = this, frame = document.createElement("iframe"), waiting = [];
        this.listeners = [];
        this.postMessage = function (data) { deliver(ladder_message(data)); };
        function deliver(data) {
            if (waiting)
                waiting.push(data);
            else
                frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: data }));
        }
        frame.hidden = true;
        document.body.appendChild(frame);
        var inside = frame.contentWindow;
        inside.postMessage = function (data) {
            var event = new MessageEvent("message", { data: data });
            worker.listeners.forEach(function (listener) { listener(event); });
            if (worker.onmessage)
                worker.onmessage(event);
        };
        inside.importScripts = function () {
            return Promise.all([].map.call(arguments, function (name) { return load(inside, new URL(name, address).href); }));
        };
        load(inside, String(address)).then(function () {
            var first = waiting;
            waiting = null;
            first.forEach(deliver);
        });
    }
    Frame.prototype.addEventListener = function (type, listener) {
        if (type === "message")
            this.listeners.push(listener);
    };
    Frame.prototype.removeEventListener = function (type, listener) {
        this.listeners = this.listeners.filter(function (other) { return other !== listener; });
    };
    Frame.prototype.terminate = function () {};
    function load(place, address) {
        return new Promise(function (done) {
            var script = place.document.createElement("script");
            script.src = address;
            script.onload = done;
            place.document.body.appendChild(script);
        });
    }
    window.Worker = Frame;
})();
