"""Credentials of letters and digits only, known by what is called so beside them; shapes as in `secret_formats`."""

import re

# what is called so: shape
BY_NAME = dict(
    re.split(r"\s{2,}", line, maxsplit=1)
    for line in """
abstract api key            {h 32}
abuseipdb key               {h 80}
abyssale api key            {a 40}
accuweather api key         {a 32}
adobe api key               {h 32}
agora app token             {h 32}
airbrake project key        {h 32}
airship secret              {a 48}
alegra token                {h 20}
algolia admin api key       {h 32}
alibaba secret key          {a 30}
allsports api key           {h 64}
ambee api key               {h 64}
amplitude secret key        {h 32}
apiflash access key         {h 32}
apilayer key                {a 32}
apollo api key              {a 22}
artsy client secret         {h 32}
asana client secret         {h 32}
assemblyai api key          {h 32}
auth0 client secret         {w 64}
autodesk client secret      {a 16}
avaza token                 {d 6}-{h 40}
aviationstack access key    {h 32}
aws secret access key       {b 40}
azure openai api key        {h 32}
azure subscription key      {h 32}
bamboohr api key            {h 40}
beamer api key              b_{w 44}
betterstack token           {a 24}
bitbucket client secret     {w 32}
bitfinex api secret         {a 43}
bitmex api secret           {w 48}
bittrex secret key          {h 32}
bombbomb token              {h 36}
boostnote token             {h 64}
box client secret           {a 32}
browserstack access key     {a 20}
bugsnag api key             {h 32}
buttercms api token         {h 40}
calendarific api key        {h 40}
calorieninja api key        {a 40}
captaindata api key         {h 64}
censys api secret           {a 32}
circleci token              {h 40}
clarifai pat                {h 32}
clearbit secret key         sk_{h 32}
clickup token               pk_{d 8}_{u 32}
clockify api key            {a 48}
cloudflare global api key   {h 37}
cloudinary api secret       {a 27}
codacy api token            {a 20}
codecov token               {uuid}
cohere api key              {a 40}
coinbase api secret         {a 64}
coinlayer access key        {h 32}
confluent api secret        {b 64}
contentful delivery token   {w 43}
convertkit api secret       {w 43}
courier auth token          pk_prod_{u 28}
craftmypdf api key          {a 35}
currencylayer access key    {h 32}
customerio api key          {h 32}
datadog api key             {h 32}
datadog app key             {h 40}
deepgram api key            {h 40}
deepl auth key              {uuid}:fx
deepseek api key            sk-{h 32}
detectlanguage api key      {h 32}
discogs token               {a 40}
discord client secret       {w 32}
disqus secret key           {a 64}
docparser api key           {h 40}
docusign secret key         {uuid}
dotmailer password          {a 16}
dronahq api key             {h 50}
droneci token               {a 32}
dropbox app secret          {l 15}
duo secret key              {a 40}
dynalist secret token       {w 128}
elasticemail api key        {u 96}
etherscan api key           {u 34}
etsy shared secret          {l 24}
eventbrite token            {u 20}
everhour api key            {h 4}-{h 4}-{h 6}-{h 6}-{h 8}
exchangerate api key        {h 24}
facebook app secret         {h 32}
faceplusplus api secret     {a 32}
fastly api token            {w 32}
finicity app key            {h 32}
finicity partner secret     {a 20}
finnhub api key             {l 20}
fixer access key            {h 32}
flickr api secret           {h 32}
freshbooks token            {h 64}
freshdesk api key           {a 20}
fullcontact api key         {a 32}
geoapify key                {h 32}
geocodio api key            {h 39}
getresponse api key         {l 32}
gitter access token         {h 40}
github oauth secret         {h 40}
giphy api key               {a 32}
godaddy api secret          {a 22}
graphhopper key             {uuid}
gtmetrix api key            {h 32}
gumroad access token        {w 43}
guardian api key            {uuid}
harvest access token        {d 7}.pt.{w 80}
heap api key                {h 32}
helpscout app secret        {a 32}
hetzner api token           {a 64}
heroku api key              {uuid}
holidayapi key              {uuid}
honeybadger api key         {h 32}
hotjar secret               {a 40}
hubspot api key             {uuid}
hunter api key              {h 40}
ibm cloud api key           {w 44}
instagram client secret     {h 32}
instamojo auth token        {h 32}
ipgeolocation api key       {h 32}
ipinfo token                {h 14}
ipstack access key          {h 32}
jira api token              {a 24}
jotform api key             {h 32}
jumpcloud api key           {h 40}
keycloak client secret      {a 32}
kraken private key          {b 86}==
kucoin api secret           {uuid}
lastfm shared secret        {h 32}
launchdarkly access token   {w 40}
lemlist api key             {h 32}
line channel secret         {h 32}
linkedin client secret      {a 16}
linode token                {h 64}
livekit api secret          {a 43}
logdna ingestion key        {h 32}
logz token                  {uuid}
looker client secret        {a 24}
luno api secret             {w 43}
mailerlite api key          {h 32}
mailgun signing key         {h 32}
mailjet secret key          {h 32}
mandrill api key            {w 22}
mapquest key                {a 32}
marketstack access key      {h 32}
mattermost token            {l 26}
meraki api key              {h 40}
messagebird access key      {a 25}
metabase session token      {uuid}
mistral api key             {a 32}
mixpanel api secret         {h 32}
monday api token            {a 64}
moralis api key             {a 64}
mux token secret            {b 75}
nasa api key                {a 40}
newsapi key                 {h 32}
nylas client secret         {a 30}
nytimes api key             {a 32}
okta client secret          {w 40}
onesignal api key           {b 48}
openweather api key         {h 32}
opsgenie api key            {uuid}
optimizely token            2:{w 50}
outreach client secret      {w 43}
pagerduty api key           {w 20}
papertrail token            {a 20}
paypal client secret        {w 80}
pendo integration key       {uuid}.us
pexels api key              {a 56}
pipedrive api token         {h 40}
pivotal tracker token       {h 32}
pixabay api key             {d 8}-{h 25}
plaid secret                {h 30}
polygon api key             {a 32}
postmark server token       {uuid}
pusher secret               {h 20}
qdrant api key              {w 54}
rapidapi key                {l 50}
reddit client secret        {w 30}
redis password              {a 32}
replit token                {a 40}
rollbar access token        {h 32}
route4me api key            {u 32}
salesforce client secret    {u 64}
saucelabs access key        {uuid}
scrapingbee api key         {u 80}
segment write key           {a 32}
semaphore token             {w 32}
sendbird api token          {h 40}
sentry auth token           {h 64}
serpapi key                 {h 64}
shodan api key              {a 32}
signalwire token            PT{h 48}
skybiometry secret          {l 26}
smartsheet access token     {a 37}
snowflake password          {a 20}
snyk token                  {uuid}
spotify client secret       {h 32}
splunk hec token            {uuid}
spoonacular api key         {h 32}
squarespace api key         {uuid}
stackhawk api key           hawk.{a 20}.{a 20}
statuspage api key          {uuid}
stormglass api key          {uuid}-{uuid}
strava client secret        {h 40}
sumologic access key        {a 64}
sendinblue api key          {a 32}
surveymonkey token          {w 80}
tatum api key               {uuid}
teamcity token              eyJ0eXAiOiAiVENWMiJ9.{w 36}.{uuid}
todoist api token           {h 40}
trello secret               {h 64}
travis token                {a 22}
twilio auth token           {h 32}
twitch client secret        {l 30}
twitter access secret       {a 45}
twitter api secret          {a 50}
unsplash secret key         {w 43}
uptimerobot api key         u{d 7}-{h 24}
vercel token                {a 24}
virustotal api key          {h 64}
vultr api key               {u 36}
weatherbit key              {h 32}
webflow api token           {h 64}
wepay access token          {u 60}
wistia token                {h 64}
workday client secret       {l 48}
yelp api key                {w 128}
youtube api key             AIza{w 35}
zendesk api token           {a 40}
zerobounce api key          {h 32}
zoom client secret          {a 32}
zulip api key               {a 32}
""".strip().splitlines()
)
